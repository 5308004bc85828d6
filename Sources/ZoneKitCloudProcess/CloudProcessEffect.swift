import ZoneKitCloud
import ZoneKitPush

/// An instruction to the driver of a cloud's process.
package enum CloudProcessEffect: Equatable, Sendable {
  /// Send this reply to the sender of its message.
  case reply(CloudReply)
  /// Hand the result of the transaction with that ticket to the machine that submitted it.
  case transacted(Ticket, TransactionResult)
  /// Carry out this instruction of the push service.
  case push(PushGateway.Effect)
  /// Record a fact.
  case fact(CloudFact)
}
