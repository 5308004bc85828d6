import ZoneKitRecords
import ZoneKitTables

/// The channels of all realtime sockets: who gets which changes of rows, who is present in a topic, and what clients tell
/// each other (Tables over the wire, 6).
///
/// A channel belongs to the bearer of its token, and gets changes of that account's rows only. Changes are handed in
/// after their commit. The server keeps no change: a client that was away fetches what it has missed. Broadcasts and
/// presence go to everyone who joined the topic, with or without an account.
package struct ChannelServer {
  /// The claims of a token, or why it is not accepted.
  package typealias Verdict = Result<AccountClaims, TokenProblem>

  private let schema: TableSchema
  /// The limits of sockets.
  package let limits: ChannelLimits
  var sockets: [SocketID: ChannelSocket] = [:]
  /// The sockets that joined a topic, in the order of joining.
  private(set) var members: [String: [SocketID]] = [:]
  var presences: Presences
  /// The channels that get changes of an account's rows, in the order of joining.
  private var watchers: [UUID: [ChannelPlace]] = [:]
  /// The channels that get changes of all rows.
  private var overseers: [ChannelPlace] = []
  private var lastSocket = 0
  private var lastEntry: Int64 = 0
  private var lastChannel: UInt64 = 0

  /// When `tick` has to be called next; nil without sockets.
  package private(set) var nextDeadline: MonotonicTime?

  /// A server without sockets.
  package init(_ schema: TableSchema, limits: ChannelLimits = ChannelLimits()) {
    self.schema = schema
    self.limits = limits
    presences = Presences(limits)
  }

  /// The number of open sockets.
  package var socketCount: Int { sockets.count }

  /// The joined channels in the order of their sockets and topics, with the number of entries of each.
  package var places: [(socket: SocketID, topic: String, entries: Int)] {
    sockets.sorted { $0.key < $1.key }.flatMap { id, socket in
      socket.channels.sorted { $0.key < $1.key }.map { (id, $0.key, $0.value.entries.count) }
    }
  }

  /// The account of a joined channel; nil if there is none.
  package func account(of topic: String, on socket: SocketID) -> UUID? {
    sockets[socket]?.channels[topic]?.claims.account
  }

  // MARK: Sockets

  /// A socket was opened. `key` is what the client's key allows, and counts for a join without a token.
  package mutating func open(key: AccountClaims, at now: Moment) -> SocketID {
    lastSocket += 1
    let id = SocketID(lastSocket)
    sockets[id] = ChannelSocket(key: key, at: now.monotonic)
    schedule(now.monotonic.advanced(byMilliseconds: limits.silence))
    return id
  }

  /// A socket is closed.
  package mutating func closed(_ socket: SocketID) -> [ChannelEffect] {
    guard let closed = sockets.removeValue(forKey: socket) else { return [] }
    return closed.channels.sorted { $0.key < $1.key }.flatMap { forget(ChannelPlace(socket, $0.key), $0.value) }
  }

  /// A ping or a pong of the client arrived, or a part of a message.
  package mutating func heard(on socket: SocketID, at now: Moment) { sockets[socket]?.heard(at: now.monotonic) }

  /// A message that cannot be read arrived.
  package mutating func unreadable(on socket: SocketID, at now: Moment) -> [ChannelEffect] {
    guard sockets[socket] != nil else { return [] }
    let count = sockets[socket]?.takeUnreadable(at: now.monotonic) ?? 0
    return count >= limits.unreadableMessages ? end(socket, code: 1008) : []
  }

  /// A message arrived. `verdict` is that on the token in the message; nil if there is none.
  package mutating func received(
    _ request: ChannelRequest, verdict: Verdict?, on socket: SocketID, at now: Moment
  ) -> [ChannelEffect] {
    guard sockets[socket] != nil else { return [] }
    sockets[socket]?.take(at: now.monotonic)
    switch request.wish {
    case .heartbeat: return [.reply(.done, to: request, on: socket)]
    case .join(let join): return take(join, request, verdict, on: socket, at: now)
    case .unreadableJoin(let reason): return [.reply(.refused(reason), to: request, on: socket)]
    case .leave: return leave(request, on: socket)
    case .renewToken, .broadcast, .track, .untrack, .unreadablePresence, .other: break
    }
    guard let channel = sockets[socket]?.channels[request.topic] else {
      return [.reply(.refused("unmatched topic"), to: request, on: socket)]
    }
    switch request.wish {
    case .renewToken: return renew(request.topic, verdict, on: socket, at: now)
    case .broadcast, .track, .untrack:
      let isWithin = sockets[socket]?.takeMessage(at: now.monotonic, limit: limits.messagesPerSecond) ?? false
      guard isWithin else {
        return end(ChannelPlace(socket, request.topic), channel, message: "Too many messages per second")
      }
      return tell(request, on: socket, channel)
    case .unreadablePresence(let reason): return [.reply(.refused(reason), to: request, on: socket)]
    case .heartbeat, .join, .unreadableJoin, .leave, .other: return []
    }
  }

  /// Carries out a message to the others of a topic.
  private mutating func tell(
    _ request: ChannelRequest, on socket: SocketID, _ channel: Channel
  ) -> [ChannelEffect] {
    switch request.wish {
    case .broadcast(let broadcast): pass(broadcast, request, on: socket, channel)
    case .track(let said): track(said, request, on: socket, channel)
    case .untrack: untrack(request, on: socket)
    case .heartbeat, .join, .unreadableJoin, .leave, .renewToken, .unreadablePresence, .other: []
    }
  }

  // MARK: Channels

  private mutating func take(
    _ join: ChannelJoin, _ request: ChannelRequest, _ verdict: Verdict?, on id: SocketID, at now: Moment
  ) -> [ChannelEffect] {
    guard let socket = sockets[id] else { return [] }
    let place = ChannelPlace(id, request.topic)
    var effects: [ChannelEffect] = []
    if let former = sockets[id]?.channels.removeValue(forKey: request.topic) {
      effects = [.closing(request.topic, former, on: id)] + forget(place, former)
    }
    let mayJoin = sockets[id]?.takeJoin(at: now.monotonic, limit: limits.joinsPerSecond) ?? false
    if let reason = mayJoin ? refusal(of: join, request.topic, on: socket) : Self.tooManyJoins {
      return effects + [.reply(.refused(reason), to: request, on: id)]
    }
    switch Self.judged(verdict ?? .success(socket.key), at: now) {
    case .failure(let problem): return effects + [.reply(.refused(problem.reason), to: request, on: id)]
    case .success(let claims):
      let channel = channel(of: join, request, claims)
      sockets[id]?.channels[request.topic] = channel
      members[request.topic, default: []].append(id)
      watch(place, claims)
      schedule(channel.deadline(at: now))
      effects.append(.reply(.joined(channel.entries), to: request, on: id))
      effects += join.entries.subscription.map { .push($0, request.topic, to: id) }
      if join.wantsPresence { effects.append(presenceState(of: request.topic, to: id)) }
      return effects
    }
  }

  private static let tooManyJoins = "ClientJoinRateLimitReached: Too many joins per second"

  /// Why a join is refused whoever asks for it; nil if it is not.
  private func refusal(of join: ChannelJoin, _ topic: String, on socket: ChannelSocket) -> String? {
    let others = socket.channels.count - (socket.channels[topic] == nil ? 0 : 1)
    guard others < limits.channels else { return "ChannelRateLimitReached: Too many channels" }
    guard join.entries.count <= limits.entries else {
      return "at most \(limits.entries) entries of postgres_changes are possible"
    }
    guard join.isPrivate else { return nil }
    let name = topic.hasPrefix("realtime:") ? String(topic.dropFirst("realtime:".count)) : topic
    return "Unauthorized: You do not have permissions to read from this Channel topic: \(name). "
      + "Private channels are not served by this version; join without `private`"
  }

  private mutating func channel(
    of join: ChannelJoin, _ request: ChannelRequest, _ claims: AccountClaims
  ) -> Channel {
    let numbered = join.entries.map { entry in
      lastEntry += 1
      return NumberedEntry(lastEntry, entry)
    }
    lastChannel += 1
    return Channel(
      joinRef: request.joinRef, claims: claims, entries: numbered,
      wantsBroadcastReplies: join.wantsBroadcastReplies, hearsOwnBroadcasts: join.hearsOwnBroadcasts,
      presenceKey: join.presenceKey ?? UUID(high: 0, low: lastChannel, version: 8).text,
      hearsPresence: join.wantsPresence)
  }

  /// The verdict on a token with regard to its end. A channel ends in the second in which its token ends, so it cannot be
  /// joined with a token that has ended.
  private static func judged(_ verdict: Verdict, at now: Moment) -> Verdict {
    guard case .success(let claims) = verdict, let seconds = claims.secondsSinceEnd(at: now.wall) else {
      return verdict
    }
    return .failure(.expired(seconds: seconds))
  }

  private mutating func leave(_ request: ChannelRequest, on id: SocketID) -> [ChannelEffect] {
    let reply = ChannelEffect.reply(.done, to: request, on: id)
    guard let channel = sockets[id]?.channels.removeValue(forKey: request.topic) else { return [reply] }
    return [reply, .closing(request.topic, channel, on: id)] + forget(ChannelPlace(id, request.topic), channel)
  }

  private mutating func renew(
    _ topic: String, _ verdict: Verdict?, on id: SocketID, at now: Moment
  ) -> [ChannelEffect] {
    guard let verdict, let channel = sockets[id]?.channels[topic] else { return [] }
    let place = ChannelPlace(id, topic)
    switch Self.judged(verdict, at: now) {
    case .success(let claims):
      guard claims.role == .authenticated else { return [] }
      unwatch(place, channel.claims)
      var renewed = channel
      renewed.claims = claims
      sockets[id]?.channels[topic] = renewed
      watch(place, claims)
      schedule(renewed.deadline(at: now))
      return []
    case .failure(let problem): return end(place, channel, message: problem.reason)
    }
  }

  /// An account was removed. Its channels end.
  package mutating func accountRemoved(_ account: UUID) -> [ChannelEffect] {
    (watchers[account] ?? []).flatMap { place in
      guard let channel = sockets[place.socket]?.channels[place.topic] else { return [ChannelEffect]() }
      return end(place, channel, message: TokenProblem.unknownAccount.reason)
    }
  }

  /// Ends a channel whose bearer has no right to it any more.
  private mutating func end(_ place: ChannelPlace, _ channel: Channel, message: String) -> [ChannelEffect] {
    sockets[place.socket]?.channels[place.topic] = nil
    let ended = ChannelEffect.push(.ended(message: message), place.topic, to: place.socket)
    return [ended, .closing(place.topic, channel, on: place.socket)] + forget(place, channel)
  }

  private mutating func end(_ socket: SocketID, code: UInt16) -> [ChannelEffect] {
    [.close(socket, code: code)] + closed(socket)
  }

  /// A channel is not joined any more.
  private mutating func forget(_ place: ChannelPlace, _ channel: Channel) -> [ChannelEffect] {
    unwatch(place, channel.claims)
    members[place.topic]?.removeAll { $0 == place.socket }
    if members[place.topic]?.isEmpty == true { members[place.topic] = nil }
    return presences.untrack(place).map { presenceChange($0, of: place.topic) } ?? []
  }

  private mutating func watch(_ place: ChannelPlace, _ claims: AccountClaims) {
    switch claims.role {
    case .anonymous: break
    case .authenticated: if let account = claims.account { watchers[account, default: []].append(place) }
    case .service: overseers.append(place)
    }
  }

  private mutating func unwatch(_ place: ChannelPlace, _ claims: AccountClaims) {
    switch claims.role {
    case .anonymous: break
    case .authenticated:
      guard let account = claims.account else { return }
      watchers[account]?.removeAll { $0 == place }
      if watchers[account]?.isEmpty == true { watchers[account] = nil }
    case .service: overseers.removeAll { $0 == place }
    }
  }

  // MARK: Changes

  /// Changes of an account's rows were committed, in the order of their stamps.
  package func changed(_ account: UUID, _ changes: [RowChange]) -> [ChannelEffect] {
    let places = (watchers[account] ?? []) + overseers
    guard !places.isEmpty else { return [] }
    return changes.compactMap { change in
      guard let table = schema.table(change.table), table.quiet != nil else { return nil }
      let deliveries = places.compactMap { place in
        sockets[place.socket]?.channels[place.topic]?.delivery(of: change, of: table, at: place)
      }
      return deliveries.isEmpty ? nil : .change(.row(change), deliveries)
    }
  }

  /// The channels that get a change of a table of a schema of a user's own. `isAsked` tells whether an entry asks for it, and
  /// whether the bearer of those claims may see the row.
  package func deliveries(_ isAsked: (ChannelEntry, AccountClaims) -> Bool) -> [ChannelDelivery] {
    sockets.sorted { $0.key < $1.key }.flatMap { id, socket in
      socket.channels.sorted { $0.key < $1.key }.compactMap { topic, channel in
        let matching = channel.entries.filter { isAsked($0.entry, channel.claims) }
        guard !matching.isEmpty else { return nil }
        let columns = matching.map(\.entry.columns)
        return ChannelDelivery(
          socket: id, topic: topic, ids: matching.map(\.id),
          columns: columns.contains(nil) ? nil : columns.flatMap { $0 ?? [] })
      }
    }
  }

  // MARK: Time

  /// Ends the channels whose tokens have ended and the sockets that were silent for too long.
  package mutating func tick(at now: Moment) -> [ChannelEffect] {
    guard let deadline = nextDeadline, deadline <= now.monotonic else { return [] }
    nextDeadline = nil
    var effects: [ChannelEffect] = []
    for (id, socket) in sockets.sorted(by: { $0.key < $1.key }) {
      let silence = socket.lastMessage.advanced(byMilliseconds: limits.silence)
      guard silence > now.monotonic else {
        effects += end(id, code: 1001)
        continue
      }
      schedule(silence)
      for (topic, channel) in socket.channels.sorted(by: { $0.key < $1.key }) {
        if let seconds = channel.claims.secondsSinceEnd(at: now.wall) {
          let message = TokenProblem.expired(seconds: seconds).endReason
          effects += end(ChannelPlace(id, topic), channel, message: message)
        } else {
          schedule(channel.deadline(at: now))
        }
      }
    }
    return effects
  }

  private mutating func schedule(_ time: MonotonicTime) { nextDeadline = min(nextDeadline ?? time, time) }
}

extension ChannelEffect {
  /// The reply to a message.
  static func reply(_ answer: ChannelAnswer, to request: ChannelRequest, on socket: SocketID) -> ChannelEffect {
    .send(answer, topic: request.topic, joinRef: request.joinRef, ref: request.ref, to: socket)
  }

  /// A message that is no reply.
  static func push(_ answer: ChannelAnswer, _ topic: String, to socket: SocketID) -> ChannelEffect {
    .send(answer, topic: topic, joinRef: nil, ref: nil, to: socket)
  }

  /// The end of a channel. The reference is that of its join.
  fileprivate static func closing(_ topic: String, _ channel: Channel, on socket: SocketID) -> ChannelEffect {
    .send(.closed, topic: topic, joinRef: channel.joinRef, ref: channel.joinRef, to: socket)
  }
}

extension [ChannelEntry] {
  /// The message on the state of the subscription that follows the answer to a join.
  fileprivate var subscription: [ChannelAnswer] {
    if let problem = lazy.compactMap(\.problem).first { return [.subscription(isGood: false, message: problem)] }
    return isEmpty ? [] : [.subscription(isGood: true, message: "Subscribed to PostgreSQL")]
  }
}

extension TokenProblem {
  /// The reason why a join with the token is refused (Tables over the wire, 6.3).
  fileprivate var reason: String {
    switch self {
    case .malformed: "MalformedJWT: The token provided is not a valid JWT"
    case .signature: "JwtSignatureError: Failed to validate JWT signature"
    case .expired: "InvalidJWTToken: \(endReason)"
    case .claims(let reason): "InvalidJWTToken: \(reason)"
    case .unknownAccount: "InvalidJWTToken: \(text)"
    }
  }

  /// Why a channel ends whose token has ended.
  fileprivate var endReason: String {
    switch self {
    case .expired(let seconds): "Token has expired \(seconds) seconds ago"
    case .malformed, .signature, .claims, .unknownAccount: text
    }
  }
}
