import ZoneKitRecords

/// A fault of a push on its way to a device.
public enum PushFault: Hashable, Sendable {
  /// The push never arrives.
  case drop
  /// The push arrives twice.
  case duplicate
  /// The push is delayed.
  case delay(Duration)
  /// The push waits until the next one has passed.
  case swap
  /// The push arrives without its notification ID, like one that was too large.
  case prune
  /// The push names a subscription that does not exist.
  case misaddress

  var simulated: ZoneKitRecords.PushFault {
    switch self {
    case .drop: .drop
    case .duplicate: .duplicate
    case .delay(let delay): .delay(milliseconds: delay.milliseconds)
    case .swap: .swap
    case .prune: .prune
    case .misaddress: .misaddress
    }
  }
}
