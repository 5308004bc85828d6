import ZoneKitRecords
import ZoneKitTables

/// The channels of all realtime sockets: who gets which changes of rows (Tables over the wire, 6).
///
/// A channel belongs to the bearer of its token, and gets changes of that account's rows only. Changes are handed in
/// after their commit. The server keeps no change: a client that was away fetches what it has missed.
package struct ChannelServer {
  /// The claims of a token, or why it is not accepted.
  package typealias Verdict = Result<AccountClaims, TokenProblem>

  private let schema: TableSchema
  private let limits: ChannelLimits
  private var sockets: [SocketID: ChannelSocket] = [:]
  /// The channels that get changes of an account's rows, in the order of joining.
  private var watchers: [UUID: [ChannelPlace]] = [:]
  /// The channels that get changes of all rows.
  private var overseers: [ChannelPlace] = []
  private var lastSocket = 0
  private var lastEntry: Int64 = 0

  /// When `tick` has to be called next; nil without sockets.
  package private(set) var nextDeadline: MonotonicTime?

  /// A server without sockets.
  package init(_ schema: TableSchema, limits: ChannelLimits = ChannelLimits()) {
    self.schema = schema
    self.limits = limits
  }

  /// The number of open sockets.
  package var socketCount: Int { sockets.count }

  /// The joined channels in the order of their sockets and topics, with the number of entries of each.
  package var places: [(socket: SocketID, topic: String, entries: Int)] {
    sockets.sorted { $0.key < $1.key }.flatMap { id, socket in
      socket.channels.sorted { $0.key < $1.key }.map { (id, $0.key, $0.value.entries.count) }
    }
  }

  // MARK: Sockets

  /// Takes in a new socket. `key` is what the client's key allows, and counts for a join without a token.
  package mutating func open(key: AccountClaims, at now: Moment) -> SocketID {
    lastSocket += 1
    let id = SocketID(lastSocket)
    sockets[id] = ChannelSocket(key: key, at: now.monotonic)
    schedule(now.monotonic.advanced(byMilliseconds: limits.silence))
    return id
  }

  /// Takes in that a socket is closed.
  package mutating func closed(_ socket: SocketID) {
    guard let closed = sockets.removeValue(forKey: socket) else { return }
    for topic in closed.channels.keys.sorted() { forget(ChannelPlace(socket, topic), closed.channels[topic]) }
  }

  /// Takes in a message that cannot be read.
  package mutating func unreadable(on socket: SocketID, at now: Moment) -> [ChannelEffect] {
    guard sockets[socket] != nil else { return [] }
    let count = sockets[socket]?.takeUnreadable(at: now.monotonic) ?? 0
    return count >= limits.unreadableMessages ? end(socket, code: 1008) : []
  }

  /// Takes in a message. `verdict` is that on the token in the message; nil if there is none.
  package mutating func received(
    _ request: ChannelRequest, verdict: Verdict?, on socket: SocketID, at now: Moment
  ) -> [ChannelEffect] {
    guard sockets[socket] != nil else { return [] }
    sockets[socket]?.take(at: now.monotonic)
    let answers: [ChannelAnswer]
    switch request.wish {
    case .heartbeat: answers = [.done]
    case .join(let join): return take(join, request, verdict, on: socket, at: now)
    case .unreadableJoin(let reason): answers = [.refused(reason)]
    case .renewToken: return renew(request.topic, verdict, on: socket, at: now)
    case .leave: return leave(request, on: socket)
    case .broadcast:
      answers =
        switch sockets[socket]?.channels[request.topic]?.wantsBroadcastReplies {
        case nil: [.refused("unmatched topic")]
        case true?: [.done]
        case false?: []
        }
    case .other: answers = []
    }
    return answers.map { .send($0, topic: request.topic, joinRef: request.joinRef, ref: request.ref, to: socket) }
  }

  // MARK: Channels

  private mutating func take(
    _ join: ChannelJoin, _ request: ChannelRequest, _ verdict: Verdict?, on id: SocketID, at now: Moment
  ) -> [ChannelEffect] {
    guard var socket = sockets[id] else { return [] }
    func send(_ answer: ChannelAnswer, isReply: Bool = true) -> ChannelEffect {
      .send(
        answer, topic: request.topic, joinRef: isReply ? request.joinRef : nil, ref: isReply ? request.ref : nil,
        to: id)
    }
    let place = ChannelPlace(id, request.topic)
    var effects: [ChannelEffect] = []
    if let former = socket.channels.removeValue(forKey: request.topic) {
      forget(place, former)
      effects.append(.closing(request.topic, former, on: id))
    }
    let mayJoin = socket.takeJoin(at: now.monotonic, limit: limits.joinsPerSecond)
    defer { sockets[id] = socket }
    guard mayJoin else {
      return effects + [send(.refused("ClientJoinRateLimitReached: Too many joins per second"))]
    }
    guard socket.channels.count < limits.channels else {
      return effects + [send(.refused("ChannelRateLimitReached: Too many channels"))]
    }
    guard join.entries.count <= limits.entries else {
      return effects + [send(.refused("at most \(limits.entries) entries of postgres_changes are possible"))]
    }
    switch verdict ?? .success(socket.key) {
    case .failure(let problem): return effects + [send(.refused(problem.reason))]
    case .success(let claims):
      let numbered = join.entries.map { entry in
        lastEntry += 1
        return NumberedEntry(lastEntry, entry)
      }
      let channel = Channel(
        joinRef: request.joinRef, claims: claims, entries: numbered,
        wantsBroadcastReplies: join.wantsBroadcastReplies)
      socket.channels[request.topic] = channel
      watch(place, channel)
      schedule(channel.deadline(at: now))
      effects.append(send(.joined(numbered)))
      effects += join.entries.subscription.map { send($0, isReply: false) }
      if join.wantsPresence { effects.append(send(.presence, isReply: false)) }
      return effects
    }
  }

  private mutating func leave(_ request: ChannelRequest, on id: SocketID) -> [ChannelEffect] {
    let reply = ChannelEffect.send(
      .done, topic: request.topic, joinRef: request.joinRef, ref: request.ref, to: id)
    guard let channel = sockets[id]?.channels.removeValue(forKey: request.topic) else { return [reply] }
    forget(ChannelPlace(id, request.topic), channel)
    return [reply, .closing(request.topic, channel, on: id)]
  }

  private mutating func renew(
    _ topic: String, _ verdict: Verdict?, on id: SocketID, at now: Moment
  ) -> [ChannelEffect] {
    guard let verdict, let channel = sockets[id]?.channels[topic] else { return [] }
    let place = ChannelPlace(id, topic)
    switch verdict {
    case .success(let claims):
      guard claims.role == .authenticated else { return [] }
      forget(place, channel)
      var renewed = channel
      renewed.claims = claims
      sockets[id]?.channels[topic] = renewed
      watch(place, renewed)
      schedule(renewed.deadline(at: now))
      return []
    case .failure(let problem): return end(place, channel, message: problem.reason)
    }
  }

  /// Ends a channel whose bearer has no right to it any more.
  private mutating func end(_ place: ChannelPlace, _ channel: Channel, message: String) -> [ChannelEffect] {
    sockets[place.socket]?.channels[place.topic] = nil
    forget(place, channel)
    return [
      .send(.ended(message: message), topic: place.topic, joinRef: nil, ref: nil, to: place.socket),
      .closing(place.topic, channel, on: place.socket),
    ]
  }

  private mutating func end(_ socket: SocketID, code: UInt16) -> [ChannelEffect] {
    closed(socket)
    return [.close(socket, code: code)]
  }

  private mutating func watch(_ place: ChannelPlace, _ channel: Channel) {
    switch channel.claims.role {
    case .anonymous: break
    case .authenticated:
      if let account = channel.claims.account { watchers[account, default: []].append(place) }
    case .service: overseers.append(place)
    }
  }

  private mutating func forget(_ place: ChannelPlace, _ channel: Channel?) {
    guard let claims = channel?.claims else { return }
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

  /// Takes in committed changes of an account's rows, in the order of their stamps.
  package func changed(_ account: UUID, _ changes: [RowChange]) -> [ChannelEffect] {
    let places = (watchers[account] ?? []) + overseers
    guard !places.isEmpty else { return [] }
    return changes.compactMap { change in
      guard let table = schema.table(change.table), table.quiet != nil else { return nil }
      let deliveries = places.compactMap { place in
        sockets[place.socket]?.channels[place.topic]?.delivery(of: change, of: table, at: place)
      }
      return deliveries.isEmpty ? nil : .change(change, deliveries)
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
        if let seconds = channel.secondsSinceEnd(at: now.wall) {
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
    }
  }

  /// Why a channel ends whose token has ended.
  fileprivate var endReason: String {
    switch self {
    case .expired(let seconds): "Token has expired \(seconds) seconds ago"
    case .malformed, .signature, .claims: text
    }
  }
}
