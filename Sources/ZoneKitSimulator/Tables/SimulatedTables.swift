import ZoneKitCloud
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The part of a simulated cloud's process that serves an app's tables: its accounts, rows and channels. The rows lie in
/// zones on the cloud's disk, and are committed with those of the other protocol.
///
/// Passwords and tokens are plain words here, because cryptography is outside the machines.
package struct SimulatedTables {
  /// A request of this turn whose answer waits for the commit.
  struct Waiting {
    var visit: World.TableVisit
    /// The faults that hit it; nil for none.
    var faults: RequestFaults?
    /// What they do to a request for rows.
    var rows: FaultyRowExchange?
    /// The messages of a request for rows; nil if it travels as a value.
    var messages: RowMessages?
    /// What they do to a request to the accounts.
    var account: FaultyAccountExchange?
    /// What they do to a request for an object.
    var object: FaultyObjectExchange?

    /// Whether the request changes rows.
    var isWrite: Bool {
      switch visit.ask {
      case .rows(.read, _), .account, .object: false
      case .rows: true
      }
    }
  }

  /// The rows.
  package var rows: RowServer
  /// The texts of rows in messages.
  var kept = KeptRows()
  /// The objects.
  var objects: SimulatedObjects
  /// The accounts, as they are on the disk.
  package internal(set) var store = MemoryAccountStore()
  /// For how long an access token is accepted, in seconds.
  package var tokenLife: Int64 = 3_600
  private var accounts = AccountServer(limits: AccountLimits(signIns: .max))
  var channels: ChannelServer
  /// The open sockets, by the server's numbers, and the numbers by socket.
  var sockets: [SocketID: World.Socket] = [:]
  var socketIDs: [World.Socket: SocketID] = [:]
  /// The accounts whose access tokens were last sent over the sockets.
  var socketAccounts: [SocketID: UUID] = [:]
  /// When the channels have something to do next; nil if nothing is due.
  var channelTickAt: MonotonicTime?
  /// The requests for rows and for accounts in this turn, by ticket.
  var rowRequests: [Ticket: Waiting] = [:]
  var accountRequests: [Ticket: Waiting] = [:]
  /// The accounts whose own row is there.
  private var profiled: Set<UUID> = []
  /// The tickets of requests by which the server makes an account's own row.
  private var profiles: [Ticket: UUID] = [:]
  /// The number of refresh tokens so far.
  private var lastToken = 0

  /// The tables of that app, without accounts.
  init(_ app: TableApp) {
    rows = RowServer(app: app)
    channels = ChannelServer(app.schema)
    objects = SimulatedObjects(app)
  }

  /// The app whose tables these are.
  package var app: TableApp { rows.app }

  /// Whether a request of this turn waits for the commit.
  var hasWaiting: Bool {
    !rowRequests.isEmpty || !accountRequests.isEmpty || !profiles.isEmpty || !objects.requests.isEmpty
  }

  /// Whether a request of this turn changes rows.
  var hasWrites: Bool {
    !profiles.isEmpty || rowRequests.values.contains(where: \.isWrite)
  }

  // MARK: Accounts

  /// The identifier of the account of that name.
  static func identifier(of name: Name) -> UUID {
    let hash = FNV1a.hash("account \(name)")
    return UUID(high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash), version: 8)
  }

  /// The account of that name, whose e-mail address is `<name>@example.test` and whose password is "password " and that address. It
  /// is made if there is none.
  mutating func account(named name: Name, at now: WallTime) -> UUID {
    let id = Self.identifier(of: name)
    guard (try? store.account(id)).flatMap({ $0 }) == nil else { return id }
    var transition = AccountTransition()
    let account = Account(id: id, email: Self.email(of: name), createdAt: now, updatedAt: now)
    transition.accounts = [
      StoredAccount(account, password: Self.record(of: Self.password(ofEmail: Self.email(of: name))))
    ]
    store.stage(transition)
    _ = store.commit()
    return id
  }

  /// The e-mail address of an account; nil if there is no such account.
  func email(of account: UUID) -> String? { (try? store.account(account)).flatMap { $0 }?.account.email }

  /// The password of the account with that e-mail address.
  static func password(ofEmail email: String) -> String { "password \(email)" }

  /// Starts a session of an account, as a sign-in does. Returns the token with which it is continued.
  mutating func startSession(of account: UUID, at now: WallTime) -> String {
    let token = freshToken()
    let session = StoredSession(
      id: UUID(high: account.high, low: UInt64(lastToken)), account: account, createdAt: now, refreshedAt: now)
    var transition = AccountTransition()
    transition.sessions = [session]
    transition.tokens = [StoredRefreshToken(hash: token.hash, session: session.id, number: 1)]
    store.stage(transition)
    _ = store.commit()
    return token.text
  }

  /// Ends the session that the token continues.
  mutating func endSession(ofToken token: String) {
    guard let session = (try? store.refreshToken(TokenHash(token))).flatMap({ $0 })?.session else { return }
    var transition = AccountTransition()
    transition.removedSessions = [session]
    store.stage(transition)
    _ = store.commit()
  }

  /// The e-mail address of the account of that name.
  static func email(of name: Name) -> String { "\(name.text.lowercased())@example.test" }

  private static func record(of password: String) -> PasswordRecord { PasswordRecord(hash: password, salt: "") }

  /// A request to the accounts arrived. Its answer comes from `endTurn`.
  mutating func receive(
    _ request: AccountRequest, token: String?, ticket: Ticket, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> UUID? {
    var event: AccountEvent
    do throws(AccountError) {
      event = try verified(request, token: token, at: now)
    } catch {
      event = .refused(error)
    }
    return accounts.receive(event, ticket: ticket, at: now.wall, in: &store, using: &generator)
  }

  private mutating func verified(
    _ request: AccountRequest, token: String?, at now: Moment
  ) throws(AccountError) -> AccountEvent {
    switch request {
    case .signIn(let email, let password):
      let known = try accounts.password(of: email, in: store)
      let matching = known == Self.record(of: password) ? known : nil
      return .signIn(email: email, matching: matching, from: "", freshToken())
    case .signUp(let email, let password, let metadata):
      if let error = AccountRules.refusal(ofPassword: password) { throw error }
      return .signUp(email: email, Self.record(of: password), metadata: metadata, from: "", freshToken())
    case .refresh(let token): return .refresh(TokenHash(token), freshToken())
    case .read: return .read(try claims(of: token, at: now.wall))
    case .signOut(let scope): return .signOut(try claims(of: token, at: now.wall), scope)
    case .update, .list, .create, .find, .change, .remove:
      throw AccountError(.notFound, "devices do not ask this")
    }
  }

  private mutating func freshToken() -> FreshToken {
    lastToken += 1
    let text = "refresh-\(lastToken)"
    return FreshToken(text, hash: TokenHash(text))
  }

  // MARK: Tokens

  /// The access token of a session that was just granted.
  func accessToken(of grant: SessionGrant) -> String {
    let end = grant.issuedAt.milliseconds / 1_000 + tokenLife
    return "access \(grant.account.id.text) \(grant.session.text) \(end)"
  }

  private func claims(of token: String?, at now: WallTime) throws(AccountError) -> AccountClaims {
    guard let token else { throw .noBearer }
    switch verified(token, at: now) {
    case .success(let claims): return claims
    case .failure(let problem): throw .badToken(problem)
    }
  }

  /// The claims of an access token, or why its bearer is not admitted.
  func verdict(on token: String, at now: WallTime) -> ChannelServer.Verdict {
    verified(token, at: now).flatMap { claims in
      do throws(StoreError) {
        return try AccountServer.refusal(of: claims, in: store).map { .failure($0) } ?? .success(claims)
      } catch {
        return .failure(.claims("the accounts cannot be read"))
      }
    }
  }

  private func verified(_ token: String, at now: WallTime) -> ChannelServer.Verdict {
    let words = token.split(separator: " ")
    guard words.count == 4, words[0] == "access", let account = UUID(words[1]), let session = UUID(words[2]),
      let end = Int64(words[3])
    else { return .failure(.malformed("no token of this server")) }
    let late = now.milliseconds / 1_000 - end
    guard late < 0 else { return .failure(.expired(seconds: late)) }
    return .success(
      AccountClaims(role: .authenticated, account: account, session: session, issuedAt: end - tokenLife, expiresAt: end)
    )
  }

  /// The account of an access token of this service, also of one that ended; nil for another text.
  static func account(ofToken token: String) -> UUID? {
    token.hasPrefix("access ") ? UUID(token.dropFirst("access ".count).prefix { $0 != " " }) : nil
  }

  // MARK: Rows

  /// The table that a request for rows names.
  func table(of request: RowRequest) -> Table? {
    OwnTable(request.table)?.table ?? app.schema.table(request.table)
  }

  /// A request for rows arrived. Returns an answer that needs no commit; nil if the answer comes from `endTurn`.
  mutating func receive(
    _ request: RowRequest, _ demands: RowDemands, from caller: RowCaller, ticket: Ticket, at now: WallTime,
    in zones: inout ZoneServer<MemoryZoneStore>, using generator: inout SplitMix64
  ) -> RowResponse? {
    let reception = rows.receive(
      request, demands: demands, from: caller, at: now, accounts: &store, using: &generator)
    switch reception {
    case .answer(let response): return response
    case .submit(let transaction, in: let database, from: let sender):
      zones.transact(transaction, ticket: ticket, in: database, from: sender, at: now, using: &generator)
      return nil
    }
  }

  /// Makes the own row of an account unless it is there.
  mutating func makeProfile(
    of account: UUID, ticket: Ticket, at now: WallTime, in zones: inout ZoneServer<MemoryZoneStore>,
    using generator: inout SplitMix64
  ) {
    guard !profiled.contains(account), let request = rows.profile(of: account, name: nil) else { return }
    profiled.insert(account)
    let answer = receive(
      request, RowDemands(), from: RowCaller(.account(account)), ticket: ticket, at: now, in: &zones,
      using: &generator)
    if answer == nil { profiles[ticket] = account } else { profiled.remove(account) }
  }

  /// The answer to a request for rows, and the committed changes. `failure` is the error with which the accounts were not
  /// committed; nil if they were.
  func answer(
    to result: TransactionResult, isWrite: Bool, _ failure: StoreError?
  ) -> (response: RowResponse, changes: [AccountChanges]) {
    // Without its claim a row could be made by another account too. The client repeats the request.
    if isWrite, let failure {
      return (.refused(RowError(.storeFailed, "the accounts cannot be written: \(failure)")), [])
    }
    return rows.answer(to: result)
  }

  /// The result of a request for an account's own row arrived. Returns false if the ticket is that of another request.
  mutating func profileMade(_ ticket: Ticket, _ result: TransactionResult) -> Bool {
    guard let account = profiles.removeValue(forKey: ticket) else { return false }
    if case .refused = rows.answer(to: result).response { profiled.remove(account) }
    return true
  }

  /// Ends the turn of the accounts. `failure` is the error of their commit.
  mutating func endTurn(_ failure: StoreError?) -> [(Ticket, AccountResponse)] {
    accounts.endTurn(failure).map { effect in
      switch effect {
      case .answer(let ticket, let response): (ticket, response)
      }
    }
  }

  /// Commits the accounts, before the zones, so that no row is kept without its claim.
  mutating func commit() -> StoreError? { store.commit() }

  /// Ends the process. Returns the requests without an answer.
  mutating func die() -> [World.TableVisit] {
    let asked = (Array(rowRequests) + Array(accountRequests)).map { ($0.key, $0.value) } + objects.die()
    let lost = asked.sorted { $0.0.number < $1.0.number }
    store.crash()
    accounts = AccountServer(limits: AccountLimits(signIns: .max))
    channels = ChannelServer(app.schema)
    (sockets, socketIDs, socketAccounts, channelTickAt) = ([:], [:], [:], nil)
    (rowRequests, accountRequests, profiles, profiled) = ([:], [:], [:], [])
    return lost.map(\.1.visit)
  }
}
