import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// A device's channel to a realtime service: one socket, and one channel with the change events of an account's tables.
///
/// It is wanted while an account is signed in, there is a link, nothing is migrated, and the app is in front or left it
/// less than `backgroundTime` ago. An event only makes the device fetch; it writes nothing and moves no cursor. Each time
/// the channel is joined, the device fetches what it missed.
package struct ChannelClient: Sendable {
  /// An instruction to the driver.
  package enum Effect: Equatable, Sendable {
    /// Open a socket, and report `opened` or `closed`.
    case open
    /// Send that message on the socket.
    case send(ChannelFrame)
    /// Close the socket with that code. No event of it is passed on any more.
    case close(code: UInt16)
    /// The coordinator receives that push.
    case news(PushNotification, PushHint)
    /// The channel was joined. The coordinator is connected and fetches what it missed.
    case joined
    /// The service refused the channel because of that access token. It is reported once until the channel is joined again.
    case tokenRefused(String)
    /// Record a fact.
    case fact(ChannelFact)
  }

  private enum State: Hashable, Sendable {
    case off
    /// The socket is being opened, which may take until then.
    case connecting(until: MonotonicTime)
    /// The join was sent and is answered until then.
    case joining(ref: String, until: MonotonicTime)
    case live(Live)
    /// The channel failed and is tried again then.
    case waiting(until: MonotonicTime)
  }

  /// A joined channel.
  private struct Live: Hashable, Sendable {
    var joinRef: String
    var since: MonotonicTime
    var nextBeat: MonotonicTime
    /// The reference of a heartbeat without an answer; nil if all are answered.
    var openBeat: String?
  }

  /// How long the socket may take to open, and a join to be answered, in milliseconds.
  package static let joinTime: Int64 = 10_000
  /// The time between heartbeats and the longest time until the answer, in milliseconds.
  package static let beat: Int64 = 25_000
  /// How long the channel stays while the app is not in front, in milliseconds.
  package static let backgroundTime: Int64 = 30_000
  /// The pauses after failures, in milliseconds. The last one is repeated. One fifth more or less is drawn.
  package static let pauses: [Int64] = [1_000, 2_000, 5_000, 10_000]
  /// The pause after the service refused too many joins, in milliseconds.
  package static let rateLimitPause: Int64 = 30_000
  /// How long a channel has to be joined so that its end is the first failure again, in milliseconds.
  package static let provenAfter: Int64 = 30_000

  /// The device's ID, by which it recognises its own writes.
  package var deviceID: String
  let schema: TableSchema
  let zoneID: ZoneID
  var hints: ChangeHints
  /// The events of a user's own tables; nil for tables of this product's form.
  var relations: RelationEvents?
  private var state = State.off
  var account: UUID?
  var token = ""
  private var isOnline = true
  private var isMigrating = false
  /// When the channel is left because the app is not in front; nil while it is.
  private var backgroundEnd: MonotonicTime?
  private var failures = 0
  /// Whether the token was refused since the channel was joined last.
  private var wasTokenRefused = false
  var lastRef = 0
  /// The newest stamp that the device has fetched of each table.
  var cursors: [Name: WallTime] = [:]

  /// The channel of a device of that app, which nobody is signed in to.
  package init(app: TableApp, deviceID: String) {
    schema = app.schema
    zoneID = ZoneID(zoneName: app.zone)
    hints = ChangeHints(schema: app.schema)
    relations = app.relations.map { RelationEvents($0) }
    self.deviceID = deviceID
  }

  /// Whether the channel is joined.
  package var isConnected: Bool {
    if case .live = state { true } else { false }
  }

  /// Whether an account is signed in.
  package var isSignedIn: Bool { account != nil }

  /// The name of the account's channel; nil if none is signed in.
  package var name: String? { account.map(Self.name) }

  /// The name of the channel of an account.
  package static func name(of account: UUID) -> String { "user-sync-\(account.text)" }

  /// The state in one word.
  package var stateName: String {
    switch state {
    case .off: "off"
    case .connecting: "connecting"
    case .joining: "joining"
    case .live: "live"
    case .waiting: "waiting"
    }
  }

  /// When `tick` has something to do next; nil if only an event can change the state.
  package var nextDeadline: MonotonicTime? {
    let own: MonotonicTime? =
      switch state {
      case .off: nil
      case .connecting(let until), .joining(_, let until), .waiting(let until): until
      case .live(let live): live.nextBeat
      }
    return [own, state == .off ? nil : backgroundEnd].compactMap { $0 }.min()
  }

  // MARK: Events of the device

  /// An account signed in with that access token. A channel of another account is left.
  package mutating func signedIn(_ account: UUID, token: String, at now: MonotonicTime) -> [Effect] {
    var left: [Effect] = []
    if self.account != account {
      left = leave()
      cursors = [:]
    }
    self.account = account
    self.token = token
    return left + settle(at: now)
  }

  /// Nobody is signed in any more.
  package mutating func signedOut() -> [Effect] {
    let left = leave()
    account = nil
    cursors = [:]
    return left
  }

  /// The access token was replaced. A joined channel counts with the new one from now on.
  package mutating func tokenChanged(_ token: String) -> [Effect] {
    self.token = token
    guard case .live(let live) = state else { return [] }
    return [send("access_token", ["access_token": .string(token)], joinRef: live.joinRef)]
  }

  /// The link was lost or restored. A new link ends a pause.
  package mutating func linkChanged(isOnline: Bool, at now: MonotonicTime) -> [Effect] {
    self.isOnline = isOnline
    return settle(endingPause: isOnline, at: now)
  }

  /// The app came to the front or left it. The front ends a pause.
  package mutating func frontChanged(isInFront: Bool, at now: MonotonicTime) -> [Effect] {
    backgroundEnd = isInFront ? nil : backgroundEnd ?? now.advanced(byMilliseconds: Self.backgroundTime)
    return settle(endingPause: isInFront, at: now)
  }

  /// The device begins or ends to move its rows into an account.
  package mutating func migrationChanged(isMigrating: Bool, at now: MonotonicTime) -> [Effect] {
    self.isMigrating = isMigrating
    return settle(at: now)
  }

  /// A fetch brought these newest stamps. An event that is not newer brings nothing.
  package mutating func pulled(_ cursors: [Name: WallTime]) { self.cursors.merge(cursors) { max($0, $1) } }

  /// A request for rows of a user's own schema was answered. An event about what this device wrote brings nothing.
  mutating func answered(_ request: RelationRequest, _ outcome: RelationOutcome) {
    relations?.answered(request, outcome)
  }

  /// When versions of rows of a user's own schema were committed, as far as events told it.
  var commits: [ChangeTag: WallTime] { relations?.commits ?? [:] }

  // MARK: Events of the socket

  /// The socket is open.
  package mutating func opened(at now: MonotonicTime) -> [Effect] {
    guard case .connecting = state, account != nil else { return [] }
    let ref = nextRef()
    state = .joining(ref: ref, until: now.advanced(byMilliseconds: Self.joinTime))
    return [
      .send(ChannelFrame(joinRef: ref, ref: ref, topic: topic, event: "phx_join", payload: joinPayload))
    ]
  }

  /// The socket could not be opened or is gone.
  package mutating func closed(at now: MonotonicTime, using generator: inout some RandomNumberGenerator) -> [Effect] {
    state == .off ? [] : fail(isOpen: false, at: now, using: &generator)
  }

  /// A message arrived.
  package mutating func received(
    _ frame: ChannelFrame, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    switch (state, frame.event) {
    case (.joining(let ref, _), "phx_reply") where frame.topic == topic && frame.ref == ref:
      return joinAnswered(frame.payload, ref: ref, at: now, using: &generator)
    case (.live(var live), "phx_reply") where frame.topic == ChannelFrame.socketTopic && frame.ref == live.openBeat:
      live.openBeat = nil
      state = .live(live)
      return []
    case (.live, "postgres_changes") where frame.topic == topic: return changed(frame.payload, at: now)
    case (.joining(let ref, _), "phx_error"), (.joining(let ref, _), "phx_close"):
      return ended(frame, joinRef: ref, at: now, using: &generator)
    case (.live(let live), "phx_error"), (.live(let live), "phx_close"):
      return ended(frame, joinRef: live.joinRef, at: now, using: &generator)
    case (.live, "system"), (.joining, "system"):
      guard frame.topic == topic, frame.payload["status"]?.string == "error" else { return [] }
      let reason = frame.payload["message"]?.string ?? "system error"
      return [.fact(.refused(reason))] + fail(at: now, using: &generator) + tokenRefused(reason)
    default: return []
    }
  }

  /// A deadline has passed.
  package mutating func tick(at now: MonotonicTime, using generator: inout some RandomNumberGenerator) -> [Effect] {
    if let backgroundEnd, backgroundEnd <= now { return settle(at: now) }
    guard let nextDeadline, nextDeadline <= now else { return [] }
    switch state {
    case .off: return []
    case .connecting: return [.fact(.refused("the socket does not open"))] + fail(at: now, using: &generator)
    case .joining:
      return [.fact(.refused("no answer to the join"))] + fail(at: now, using: &generator)
    case .waiting: return settle(endingPause: true, at: now)
    case .live(var live):
      guard live.openBeat == nil else {
        return [.fact(.refused("no answer to a heartbeat"))] + fail(at: now, using: &generator)
      }
      let ref = nextRef()
      live.openBeat = ref
      live.nextBeat = now.advanced(byMilliseconds: Self.beat)
      state = .live(live)
      return [
        .send(ChannelFrame(ref: ref, topic: ChannelFrame.socketTopic, event: "heartbeat", payload: .object([])))
      ]
    }
  }

  // MARK: States

  private func isWanted(at now: MonotonicTime) -> Bool {
    account != nil && isOnline && !isMigrating && backgroundEnd.map { now < $0 } ?? true
  }

  /// Opens the channel if it is wanted and is not tried, and leaves it if it is not wanted.
  private mutating func settle(endingPause: Bool = false, at now: MonotonicTime) -> [Effect] {
    guard isWanted(at: now) else { return leave() }
    switch state {
    case .off: failures = 0
    case .waiting where endingPause: break
    case .waiting, .connecting, .joining, .live: return []
    }
    state = .connecting(until: now.advanced(byMilliseconds: Self.joinTime))
    return [.open]
  }

  private mutating func leave() -> [Effect] {
    let before = state
    state = .off
    switch before {
    case .off, .waiting: return []
    case .connecting: return [.close(code: 1000)]
    case .joining(let ref, _): return [send("phx_leave", .object([]), joinRef: ref), .close(code: 1000)]
    case .live(let live):
      return [
        send("phx_leave", .object([]), joinRef: live.joinRef), .close(code: 1000),
        .fact(.connectionChanged(isConnected: false)),
      ]
    }
  }

  /// The channel failed. Its socket is closed if it is open.
  private mutating func fail(
    isOpen: Bool = true, isRateLimited: Bool = false, at now: MonotonicTime,
    using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    var effects: [Effect] = isOpen ? [.close(code: 1000)] : []
    if case .live(let live) = state {
      if live.since.advanced(byMilliseconds: Self.provenAfter) <= now { failures = 0 }
      effects.append(.fact(.connectionChanged(isConnected: false)))
    }
    var pause = Self.rateLimitPause
    if !isRateLimited {
      let full = Self.pauses[min(failures, Self.pauses.count - 1)]
      pause = Int64.random(in: (full - full / 5)...(full + full / 5), using: &generator)
    }
    failures += 1
    state = .waiting(until: now.advanced(byMilliseconds: pause))
    return effects + [.fact(.retry(inMilliseconds: pause))]
  }

  private mutating func joinAnswered(
    _ payload: JSON, ref: String, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    let response = payload["response"]
    guard payload["status"]?.string == "ok" else {
      let reason = response?["reason"]?.string ?? "no reason"
      let isRateLimited = Self.rateLimitWords.contains { reason.hasPrefix($0) }
      return [.fact(.refused(reason))] + fail(isRateLimited: isRateLimited, at: now, using: &generator)
        + tokenRefused(reason)
    }
    // Without an entry of its own a table has no events, and nobody would notice.
    guard response?["postgres_changes"]?.array?.count == entries.count else {
      return [.fact(.refused("the join has other entries than were asked"))] + fail(at: now, using: &generator)
    }
    wasTokenRefused = false
    state = .live(Live(joinRef: ref, since: now, nextBeat: now.advanced(byMilliseconds: Self.beat), openBeat: nil))
    return [.fact(.connectionChanged(isConnected: true)), .joined]
  }

  /// The words with which reasons begin that ask for a longer pause.
  private static let rateLimitWords = ["ChannelRateLimitReached", "ClientJoinRateLimitReached"]

  /// The words with which reasons begin that are about the access token (Tables over the wire, 6.3).
  private static let tokenWords = ["InvalidJWTToken", "MalformedJWT", "JwtSignatureError", "Token has expired"]

  /// Tells that the token is refused if that is the reason. A new token is of use once: a service that refuses that one
  /// too has another trouble.
  private mutating func tokenRefused(_ reason: String) -> [Effect] {
    guard !wasTokenRefused, Self.tokenWords.contains(where: { reason.hasPrefix($0) }) else { return [] }
    wasTokenRefused = true
    return [.tokenRefused(token)]
  }

  private mutating func ended(
    _ frame: ChannelFrame, joinRef: String, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    // The end of an earlier join is of no interest.
    guard frame.topic == topic, (frame.joinRef ?? frame.ref ?? joinRef) == joinRef else { return [] }
    return [.fact(.refused(frame.event))] + fail(at: now, using: &generator)
  }
}
