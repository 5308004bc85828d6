public import ZoneKitRecords

/// A channel that gets a change of a row.
public struct ChannelDelivery: Hashable, Sendable {
  /// The socket of the channel.
  public var socket: SocketID
  /// The channel's topic.
  public var topic: String
  /// The numbers of the entries that asked for the change, in ascending order.
  public var ids: [Int64]
  /// The columns in the message; nil for all.
  public var columns: [Name]?
  /// Whether the message has only small values and says that the row was too large.
  public var isCut = false

  /// A delivery.
  public init(socket: SocketID, topic: String, ids: [Int64], columns: [Name]? = nil) {
    self.socket = socket
    self.topic = topic
    self.ids = ids
    self.columns = columns
  }
}

/// Identifies an open socket of a server.
public struct SocketID: Hashable, Comparable, Sendable {
  /// The number of the socket, in the order of opening.
  public let number: Int

  /// The socket with that number.
  public init(_ number: Int) { self.number = number }

  /// Orders sockets by their opening.
  public static func < (first: SocketID, second: SocketID) -> Bool { first.number < second.number }
}
