/// What a link does at a time: to each direction, and to the next lines and answers.
package struct LinkState: Equatable, Sendable {
  /// From the device to the server.
  package var toServer = LaneConditions()
  /// From the server to the device.
  package var toDevice = LaneConditions()
  /// The faults of the next lines on their way to the device.
  package var lineFaults = LineFaults()
  /// How many of the next answers are lost: the server carries the request out, and the connection ends without an answer.
  package var answersToLose = 0

  /// A link that changes nothing.
  package init() {}

  /// What a direction does.
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

  /// Whether the answer that comes in now is to be lost; counts it.
  package mutating func losesAnswer() -> Bool {
    guard answersToLose > 0 else { return false }
    answersToLose -= 1
    return true
  }
}
