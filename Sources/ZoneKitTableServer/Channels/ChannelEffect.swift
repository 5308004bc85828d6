import ZoneKitRecords
import ZoneKitTables

/// What a server of channels wants done.
package enum ChannelEffect: Equatable, Sendable {
  /// Send a message about a channel.
  case send(ChannelAnswer, topic: String, joinRef: String?, ref: String?, to: SocketID)
  /// Send the same message on a topic to several sockets.
  case tell(ChannelAnswer, topic: String, to: [SocketID])
  /// Send a change of a row, after the answer to its writer.
  case change(ChannelChange, [ChannelDelivery])
  /// Close the socket with that code (RFC 6455, 7.4.1).
  case close(SocketID, code: UInt16)
  /// End the connection of the socket without a close frame.
  case cut(SocketID)
}
