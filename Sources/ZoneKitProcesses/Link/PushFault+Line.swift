import ZoneKitScenarios
import ZoneKitWire

extension PushFault {
  /// What a line of the push socket says when it arrives; one that is no notification stays as it is.
  func altered(line: [UInt8]) -> [UInt8] {
    guard case .notification(let push)? = try? PushLine(line: line.dropLast()) else { return line }
    return PushLine.notification(altered(push)).line
  }
}
