/// The present conditions and faults of a link.
package struct LinkState: Equatable, Sendable {
  /// From the device to the server.
  package var toServer = LaneConditions()
  /// From the server to the device.
  package var toDevice = LaneConditions()
  /// The number of following answers that are lost: the server carries out the request, and the connection ends without
  /// an answer.
  package var answersToLose = 0

  /// The state of a link that changes nothing.
  package init() {}

  /// The conditions of a direction.
  package subscript(direction: LinkDirection) -> LaneConditions {
    get {
      switch direction {
      case .toServer: toServer
      case .toDevice: toDevice
      }
    }
    set {
      switch direction {
      case .toServer: toServer = newValue
      case .toDevice: toDevice = newValue
      }
    }
  }

  /// Whether the answer that now arrives is to be lost. Each call counts one answer.
  package mutating func losesAnswer() -> Bool {
    guard answersToLose > 0 else { return false }
    answersToLose -= 1
    return true
  }
}
