import ZoneKitCloud
import ZoneKitPush
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// An instruction to the driver of a cloud's process.
package enum CloudProcessEffect: Equatable, Sendable {
  /// Send this reply to the sender of its message.
  case reply(CloudReply)
  /// Call `resume` with the ticket after that time. Other messages are served before.
  case resume(Ticket, afterMilliseconds: Int64)
  /// These changes of rows were committed. `tellChanges` tells the channels of them.
  case changed(AccountChanges)
  /// Carry out this instruction of the channels.
  case channel(ChannelEffect)
  /// A fault lost an event on its way to a channel.
  case dropped(ChannelDelivery)
  /// Record a fact about the channels.
  case channelFact(ChannelServerFact)
  /// The objects of a database need the bytes with those hashes. Pass the hashes of all others to `release`.
  case bytesNeeded(Set<String>, in: DatabaseID)
  /// Carry out this instruction of the push service.
  case push(PushGateway.Effect)
  /// Record a fact.
  case fact(CloudFact)
}
