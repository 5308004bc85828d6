/// What happened to a message on a realtime socket.
package struct ChannelReception: Equatable, Sendable {
  /// What is left to the driver.
  package var effects: [CloudProcessEffect] = []
  /// The IDs of the faults that hit the message, in the plan's order.
  package var faults: [Int] = []
}
