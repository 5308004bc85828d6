import ZoneKitRecords

/// A channel that gets a change of a row.
package struct ChannelDelivery: Hashable, Sendable {
  /// The socket of the channel.
  package var socket: SocketID
  /// The channel's topic.
  package var topic: String
  /// The numbers of the entries that asked for the change, in ascending order.
  package var ids: [Int64]
  /// The columns in the message; nil for all.
  package var columns: [Name]?
  /// Whether the message has only small values and says that the row was too large.
  package var isCut = false

  /// A delivery.
  package init(socket: SocketID, topic: String, ids: [Int64], columns: [Name]? = nil) {
    self.socket = socket
    self.topic = topic
    self.ids = ids
    self.columns = columns
  }
}

/// Identifies an open socket of a server.
package struct SocketID: Hashable, Comparable, Sendable {
  /// The number of the socket, in the order of opening.
  package let number: Int

  /// The socket with that number.
  package init(_ number: Int) { self.number = number }

  /// Orders sockets by their opening.
  package static func < (first: SocketID, second: SocketID) -> Bool { first.number < second.number }
}
