import ZoneKitCloud
import ZoneKitRecords

/// The reply to one message.
package struct CloudReply: Equatable, Sendable {
  /// The ticket of the message.
  package var ticket: Ticket
  /// What the sender gets; nil if faults take the answer away, and its connection is closed.
  package var answer: CloudAnswer?
  /// What the cloud answered before faults changed it; nil if the message did not reach the cloud.
  package var response: CloudAnswer?
  /// How much later faults let the answer leave.
  package var delayMilliseconds: Int64 = 0
}
