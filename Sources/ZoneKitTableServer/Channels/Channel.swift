import ZoneKitRecords
import ZoneKitTables

/// A channel of a socket.
struct ChannelPlace: Hashable {
  let socket: SocketID
  let topic: String

  /// The channel of that topic.
  init(_ socket: SocketID, _ topic: String) {
    self.socket = socket
    self.topic = topic
  }
}

/// A joined channel.
struct Channel {
  /// The reference of its join.
  let joinRef: String?
  /// What its token allows.
  var claims: AccountClaims
  /// What it asked for, with the number of each entry.
  let entries: [NumberedEntry]
  /// Whether its client waits for a reply to each broadcast.
  let wantsBroadcastReplies: Bool
  /// Whether its client gets its own broadcasts too.
  let hearsOwnBroadcasts: Bool
  /// The name under which its client is present.
  let presenceKey: String
  /// Whether its client is told who is present.
  var hearsPresence: Bool

  /// The message with a change of a row; nil if no entry asked for it.
  func delivery(of change: RowChange, of table: Table, at place: ChannelPlace) -> ChannelDelivery? {
    let matching = entries.filter { $0.entry.matches(change, of: table) }
    guard !matching.isEmpty else { return nil }
    return ChannelDelivery(
      socket: place.socket, topic: place.topic, ids: matching.map(\.id), columns: Self.columns(matching, of: table))
  }

  /// The columns that the entries asked for, in the table's order, with the key; nil for all.
  private static func columns(_ entries: [NumberedEntry], of table: Table) -> [Name]? {
    var names: [Name] = table.key
    for entry in entries {
      guard let columns = entry.entry.columns else { return nil }
      names += columns
    }
    return table.columns.map(\.name).filter(names.contains)
  }

  /// When the token ends.
  func deadline(at now: Moment) -> MonotonicTime {
    let (end, overflow) = claims.expiresAt.multipliedReportingOverflow(by: 1_000)
    return now.monotonic.advanced(byMilliseconds: overflow ? .max : end - now.wall.milliseconds)
  }
}

extension AccountClaims {
  /// How many seconds ago the token ended; nil if it has not.
  func secondsSinceEnd(at now: WallTime) -> Int64? {
    let seconds = now.milliseconds / 1_000 - expiresAt
    return seconds >= 0 ? seconds : nil
  }
}

/// An open socket.
struct ChannelSocket {
  /// What the client's key allows.
  let key: AccountClaims
  /// The joined channels by topic.
  var channels: [String: Channel] = [:]
  /// When the last message came.
  private(set) var lastMessage: MonotonicTime
  private var unreadableMessages = 0
  /// The messages to others within the second that began at `messageSecond`.
  private var messages = 0
  private var messageSecond: MonotonicTime
  /// The joins within the second that began at `joinSecond`.
  private var joins = 0
  private var joinSecond: MonotonicTime

  /// A socket that was just opened.
  init(key: AccountClaims, at now: MonotonicTime) {
    self.key = key
    lastMessage = now
    joinSecond = now
    messageSecond = now
  }

  /// A sign of life that is no message arrived.
  mutating func heard(at now: MonotonicTime) { lastMessage = now }

  /// A message arrived.
  mutating func take(at now: MonotonicTime) {
    lastMessage = now
    unreadableMessages = 0
  }

  /// A message that cannot be read arrived. Returns how many came in a row.
  mutating func takeUnreadable(at now: MonotonicTime) -> Int {
    lastMessage = now
    unreadableMessages += 1
    return unreadableMessages
  }

  /// A join arrived. Returns whether it is within the limit of joins per second.
  mutating func takeJoin(at now: MonotonicTime, limit: Int) -> Bool {
    if now >= joinSecond.advanced(byMilliseconds: 1_000) { (joinSecond, joins) = (now, 0) }
    joins += 1
    return joins <= limit
  }

  /// A message to others arrived. Returns whether it is within the limit of such messages per second.
  mutating func takeMessage(at now: MonotonicTime, limit: Int) -> Bool {
    if now >= messageSecond.advanced(byMilliseconds: 1_000) { (messageSecond, messages) = (now, 0) }
    messages += 1
    return messages <= limit
  }
}
