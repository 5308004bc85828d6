/// The limits of realtime sockets (Tables over the wire, 1.4 and 6).
package struct ChannelLimits: Hashable, Sendable {
  /// The most channels of a socket.
  package var channels = 100
  /// The most entries of a join.
  package var entries = 100
  /// The most joins of a socket within a second.
  package var joinsPerSecond = 20
  /// The number of unreadable messages in a row that ends a socket.
  package var unreadableMessages = 100
  /// How long a socket may be silent, in milliseconds. Clients send a heartbeat every 25 s.
  package var silence: Int64 = 60_000
  /// The sockets of one key and address that may be opened at once.
  package var sockets = 30
  /// How many more may be opened each second.
  package var socketsPerSecond = 5

  /// The usual limits.
  package init() {}
}
