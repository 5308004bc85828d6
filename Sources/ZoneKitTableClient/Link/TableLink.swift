import ZoneKitRecords
import ZoneKitTables

/// A device's link to a table server: its session, its channel, its photos, and the exchange under way. Real and simulated devices
/// drive the same machine.
///
/// The coordinator's requests become requests for rows, which wait while the session is refreshed. A request that the
/// service refuses because of its access token is sent again once, with a new one. Change events become pushes.
package struct TableLink: Sendable {
  /// A request of the coordinator that is being carried out.
  struct Work: Sendable {
    /// The request for rows that comes next.
    enum State: Hashable, Sendable {
      /// It waits until the session has an access token.
      case waiting
      /// It was sent with that access token.
      case asked(AskID, token: String)
    }

    var ticket: Ticket
    var exchange: TableExchange
    var state: State
    /// Whether the next request for rows was refused once because of its access token.
    var wasRefused: Bool
  }

  /// The purpose of a request to the accounts.
  private enum Purpose: Hashable, Sendable {
    case refreshing
    case signingIn
    case signingOut
  }

  /// The app whose rows these are.
  package let app: TableApp
  /// The account of the device, also while its session is over; nil if the device has none.
  package private(set) var owner: StoredSession?
  /// What the channel has done.
  package private(set) var counters = ChannelCounters()
  /// The photos on their way. Read its state only.
  package internal(set) var photos = PhotoQueue()
  /// How long the driver waits for the answer to a request to the accounts, in milliseconds. Then it reports a failure.
  package static let accountPatience: Int64 = 30_000

  var session = Session()
  var channel: ChannelClient
  var work: Work?
  private var asks: [AskID: Purpose] = [:]
  /// The newest refresh of the session; nil if there was none.
  private var lastRefresh: AskID?
  private var lastAsk: UInt64 = 0
  /// The transfers of photos under way.
  var photoAsks: [AskID: PhotoAsk] = [:]
  /// The paths of the photos whose last transfer was refused because of its access token.
  var refusedPhotos: Set<String> = []
  private(set) var isOnline = true
  /// The tables of which rows were moved since they were last taken.
  var moved = MovedTables()
  /// The newest stamps of the last answer with rows. They count when the coordinator has stored it.
  var answered: [Name: WallTime] = [:]
  /// The notices about changes that the device has not stored yet, the oldest first, with the changes' stamps.
  private var notices: [(notice: ChangeNotice, stamp: WallTime?)] = []

  /// A link of a device that nobody is signed in to.
  package init(app: TableApp, deviceID: String) {
    self.app = app
    channel = ChannelClient(app: app, deviceID: deviceID)
  }

  /// The device's ID, which is part of the author of each row.
  package var deviceID: String {
    get { channel.deviceID }
    set { channel.deviceID = newValue }
  }

  /// Whether there is a session.
  package var isSignedIn: Bool { session.isSignedIn }

  /// The access token for a request beside the exchange; nil if there is none now.
  package func accessToken(at now: MonotonicTime) -> String? {
    guard case .use(let token) = session.permission(at: now) else { return nil }
    return token
  }

  /// Whether a sign-in or sign-up waits for its answer.
  package var isSigningIn: Bool { asks.values.contains(.signingIn) }

  /// Whether the channel is joined.
  package var isConnected: Bool { channel.isConnected }

  /// The state of the channel in one word.
  package var channelState: String { channel.stateName }

  /// The channel's topic without its prefix; nil if no account is signed in.
  package var channelName: String? { channel.name }

  /// When `tick` has something to do next; nil if only an event can change the state.
  package var nextDeadline: MonotonicTime? {
    [session.nextDeadline, channel.nextDeadline, photos.nextDeadline].compactMap { $0 }.min()
  }

  /// The tables of which rows were moved since the last call.
  package mutating func takeMovedTables() -> MovedTables {
    defer { moved = MovedTables() }
    return moved
  }

  // MARK: Events of the device

  /// The app was launched with the session in the device's store; nil if there is none.
  package mutating func launched(with stored: StoredSession?, at now: MonotonicTime) -> [Effect] {
    owner = stored
    guard let refresh = stored?.refresh else { return [] }
    return carryOut(session.restored(SessionTokens(access: "", refresh: refresh, life: 0), at: now), at: now)
  }

  /// A request of the coordinator arrived. It has one request under way at a time, so an earlier one is forgotten.
  package mutating func ask(_ request: CloudRequest, ticket: Ticket, at now: MonotonicTime) -> [Effect] {
    work = nil
    guard let owner, session.isSignedIn else {
      return [.answer(ticket, .failure(CloudError(.notAuthenticated, owner?.reason ?? Self.noSession)))]
    }
    let exchange: TableExchange =
      if let schema = app.relations {
        .relations(RelationExchange(request, schema, account: owner.account, commits: channel.commits))
      } else {
        .rows(RowExchange(request, app: app, account: owner.account, deviceID: deviceID))
      }
    work = Work(ticket: ticket, exchange: exchange, state: .waiting, wasRefused: false)
    return proceed(at: now)
  }

  static let noSession = "no account is signed in"

  /// The coordinator has stored the last page that it got. An event about an older version brings nothing new from now
  /// on, and the app's screens get the changes that it brought.
  package mutating func pageStored() -> [Effect] {
    channel.pulled(answered)
    let stored = answered
    answered = [:]
    var told: [Effect] = []
    notices.removeAll { notice, stamp in
      let table = notice.record.isNull ? OwnTable.deletions.table.name : notice.table
      guard let cursor = stored[table], stamp.map({ $0 <= cursor }) ?? true else { return false }
      told.append(.notice(notice))
      return true
    }
    return told
  }

  /// The most notices that wait for their changes.
  private static let noticeLimit = 1_000

  /// The link was lost or restored. What was under way is given up, as by the coordinator.
  package mutating func linkChanged(isOnline: Bool, at now: MonotonicTime) -> [Effect] {
    self.isOnline = isOnline
    if isOnline {
      photos.linkRestored()
    } else {
      work = nil
      givePhotosUp()
    }
    let renewed = isOnline ? carryOut(session.linkRestored(at: now), at: now) : []
    return renewed + carryOut(channel.linkChanged(isOnline: isOnline, at: now)) + transferPhotos(at: now)
  }

  /// The app came to the front or left it.
  package mutating func frontChanged(isInFront: Bool, at now: MonotonicTime) -> [Effect] {
    carryOut(channel.frontChanged(isInFront: isInFront, at: now))
  }

  /// The device begins or ends to move its rows into an account.
  package mutating func migrationChanged(isMigrating: Bool, at now: MonotonicTime) -> [Effect] {
    carryOut(channel.migrationChanged(isMigrating: isMigrating, at: now))
  }

  /// A deadline has passed.
  package mutating func tick(at now: MonotonicTime, using generator: inout some RandomNumberGenerator) -> [Effect] {
    photos.tick(at: now)
    return carryOut(session.tick(at: now), at: now) + carryOut(channel.tick(at: now, using: &generator))
      + transferPhotos(at: now)
  }

  // MARK: Signing in and out

  /// Signs an account in. While a session is there, or a sign-in is under way, it fails.
  package mutating func signIn(email: String, password: String) -> [Effect] {
    begin(.signIn(email: email, password: password))
  }

  /// Makes an account and signs it in. While a session is there, or a sign-in is under way, it fails.
  package mutating func signUp(email: String, password: String) -> [Effect] {
    begin(.signUp(email: email, password: password, metadata: []))
  }

  private mutating func begin(_ request: AccountRequest) -> [Effect] {
    guard !session.isSignedIn, !isSigningIn else {
      let who = session.isSignedIn ? "\(owner?.email ?? "an account") is signed in" : "a sign-in is under way"
      return [.signInFailed(SessionError(.refused("session_exists"), who))]
    }
    return [ask(request, for: .signingIn)]
  }

  /// Signs the account out: asks the service to end the session, whose answer does not matter, and forgets it.
  package mutating func signOut(at now: MonotonicTime) -> [Effect] {
    var effects: [Effect] = []
    if case .use(let token) = session.permission(at: now) {
      effects.append(ask(.signOut(.local), for: .signingOut, token: token))
    }
    session.signedOut()
    owner = nil
    notices = []
    givePhotosUp()
    asks = asks.filter { $0.value == .signingOut }
    return effects + carryOut(channel.signedOut()) + giveUp(CloudError(.notAuthenticated, Self.noSession))
  }

  private mutating func ask(_ request: AccountRequest, for purpose: Purpose, token: String? = nil) -> Effect {
    let id = nextAsk()
    asks[id] = purpose
    if purpose == .refreshing { lastRefresh = id }
    return .askAccount(id, request, token: token)
  }

  /// The ID of a new request, also for one beside the exchange.
  package mutating func nextAsk() -> AskID {
    lastAsk += 1
    return AskID(number: lastAsk)
  }

  /// The outcome of a request to the accounts arrived.
  package mutating func accountAnswered(_ id: AskID, _ outcome: AccountOutcome, at now: MonotonicTime) -> [Effect] {
    switch (asks.removeValue(forKey: id), outcome) {
    case (.refreshing, .session(let grant)):
      owner?.email = grant.email
      return carryOut(session.answered(.success(grant.tokens), at: now), at: now)
    case (.refreshing, .failed(let error)):
      // The session has given an earlier refresh up already.
      guard id == lastRefresh else { return [] }
      let effects = carryOut(session.answered(.failure(error), at: now), at: now)
      guard session.isSignedIn, work?.state == .waiting else { return effects }
      // Without a token the request cannot be sent soon. The coordinator decides when to try again.
      return effects + giveUp(CloudError(error))
    case (.signingIn, .session(let grant)):
      let begun = StoredSession(account: grant.account, email: grant.email, refresh: grant.tokens.refresh)
      owner = begun
      // The driver stores the tokens with the account.
      _ = session.signedIn(grant.tokens, at: now)
      return [.signedIn(begun)] + use(grant.tokens.access, of: grant.account, at: now)
    case (.signingIn, .failed(let error)): return [.signInFailed(error)]
    case (.refreshing, .done), (.signingIn, .done), (.signingOut, _), (nil, _): return []
    }
  }
}

// MARK: - The socket

extension TableLink {
  /// The socket is open.
  package mutating func socketOpened(at now: MonotonicTime) -> [Effect] { carryOut(channel.opened(at: now)) }

  /// The socket could not be opened or is gone.
  package mutating func socketClosed(
    at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    carryOut(channel.closed(at: now, using: &generator))
  }

  /// A message of the socket arrived.
  package mutating func frameReceived(
    _ frame: ChannelFrame, at now: MonotonicTime, using generator: inout some RandomNumberGenerator
  ) -> [Effect] {
    let effects = channel.received(frame, at: now, using: &generator)
    for case .news(let push, _) in effects {
      guard let notice = ChangeNotice(frame, app: app) else { continue }
      notices.append((notice, push.committedAt))
      if notices.count > Self.noticeLimit { notices.removeFirst() }
    }
    var refused: [Effect] = []
    for case .tokenRefused(let token) in effects { refused = carryOut(session.refused(token, at: now), at: now) }
    return carryOut(effects) + refused
  }
}

// MARK: - Effects of the parts

extension TableLink {
  private mutating func carryOut(_ effects: [ChannelClient.Effect]) -> [Effect] {
    effects.compactMap { effect in
      switch effect {
      case .tokenRefused: return nil
      case .open: return .openSocket
      case .send(let frame): return .send(frame)
      case .close(let code): return .closeSocket(code: code)
      case .news(let push, let hint): return .news(push, hint)
      case .joined: return .joined
      case .fact(let fact):
        counters.count(fact)
        return .fact(fact)
      }
    }
  }

  /// Carries out what the session decides.
  mutating func carryOut(_ effects: [Session.Effect], at now: MonotonicTime) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      switch effect {
      case .refresh(let token): return [ask(.refresh(token: token), for: .refreshing)]
      case .tokensChanged(let tokens): return tokensChanged(tokens, at: now)
      case .lost(let reason): return lost(reason)
      }
    }
  }

  private mutating func tokensChanged(_ tokens: SessionTokens, at now: MonotonicTime) -> [Effect] {
    owner?.refresh = tokens.refresh
    guard let owner else { return [] }
    return [.store(owner)] + use(tokens.access, of: owner.account, at: now)
  }

  /// Tells the channel the access token, and sends what waits for one.
  private mutating func use(_ token: String, of account: UUID, at now: MonotonicTime) -> [Effect] {
    let told = channel.isSignedIn ? channel.tokenChanged(token) : channel.signedIn(account, token: token, at: now)
    return carryOut(told) + proceed(at: now) + transferPhotos(at: now)
  }

  private mutating func lost(_ reason: String) -> [Effect] {
    owner?.refresh = nil
    owner?.reason = reason
    givePhotosUp()
    let left = carryOut(channel.signedOut()) + giveUp(CloudError(.notAuthenticated, reason))
    return (owner.map { [.sessionLost($0, reason: reason)] } ?? []) + left
  }
}

extension CloudError {
  /// The error for a request that cannot be sent because the session could not be continued.
  fileprivate init(_ error: SessionError) {
    // A refusal that ends the session is passed on as such. Any other one passes.
    var pause: Int64?
    if case .transient(let asked) = error.failure { pause = asked }
    self.init(.serviceUnavailable, error.reason, retryAfterMilliseconds: pause)
  }
}
