/// The limits of realtime sockets (Tables over the wire, 1.4 and 6).
package struct ChannelLimits: Hashable, Sendable {
  /// The most channels of a socket.
  package var channels = 100
  /// The most entries of a join.
  package var entries = 100
  /// The most joins of a socket within a second.
  package var joinsPerSecond = 20
  /// The most broadcasts and messages on presence of a socket within a second.
  package var messagesPerSecond = 1_000
  /// The most bytes of what one client says about its presence.
  package var presenceBytes = 64 << 10
  /// The most bytes of what all clients of a topic say about their presence.
  package var topicPresenceBytes = 1 << 20
  /// The most bytes of what all clients say about their presence.
  package var allPresenceBytes = 32 << 20
  /// The number of unreadable messages in a row that ends a socket.
  package var unreadableMessages = 100
  /// How long a socket may be silent, in milliseconds. Clients send a heartbeat every 25 s.
  package var silence: Int64 = 60_000
  /// The sockets of one key and address that may be opened at once.
  package var sockets = 30
  /// How many more may be opened each second.
  package var socketsPerSecond = 5
  /// The sockets of one address, with whatever keys, that may be opened at once.
  package var addressSockets = 60
  /// How many more may be opened each second.
  package var addressSocketsPerSecond = 10
  /// The messages, and their bytes, that may wait for a client. If more wait, it is looked at.
  package var waitingMessages = 1_000
  package var waitingBytes = 4 << 20
  /// The time between two looks, in milliseconds, and how many of them may find that the client took nothing.
  package var lookStep: Int64 = 500
  package var looks = 6
  /// The messages, and their bytes, above which a client is closed at once.
  package var mostMessages = 20_000
  package var mostBytes = 32 << 20
  /// The bytes for all clients above which each may have only few waiting for it.
  package var allBytes = 64 << 20
  package var fewBytes = 64 << 10
  /// The bytes of messages that have not arrived completely, of all sockets.
  package var unfinishedBytes = 32 << 20
  /// After how many changes and messages with them the rest of the changes waits for the next turn.
  package var tellingsPerTurn = 2_000
  /// The most changes that wait for later turns.
  package var untoldChanges = 20_000

  /// The usual limits.
  package init() {}
}
