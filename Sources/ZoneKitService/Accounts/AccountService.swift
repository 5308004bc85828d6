import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The accounts as a service: it verifies passwords and tokens, and passes verified requests to the process.
final class AccountService<Store: ZoneStore, Accounts: AccountStore> {
  /// Finds out who sends a request.
  let access: TableAccess
  private let zones: ZoneService<Store, Accounts>
  private let passwords: FairWorker<PasswordRecord?>
  private let recordOfNone = PasswordHash.recordOfNone()

  /// A service of the accounts of those zones. Passwords are hashed while the loop goes on; without a loop at once.
  init(access: TableAccess, zones: ZoneService<Store, Accounts>, on loop: Loop?) {
    passwords = FairWorker(for: loop)
    self.access = access
    self.zones = zones
  }

  /// The store.
  var store: Accounts {
    guard let tables = zones.process.tables else { preconditionFailure("accounts are those of a cloud with tables") }
    return tables.store
  }

  /// A verified request arrived. `complete` is called with the answer after the commit.
  func receive(_ event: AccountEvent, complete: @escaping (AccountResponse) -> Void) {
    zones.receive(.account(event), from: CloudSender(RowCaller(.anonymous))) { reply in
      if case .account(let response)? = reply.answer { complete(response) }
    }
  }

  /// Starts no more hashing of passwords.
  func stopHashing() { passwords.close() }

  /// The number of passwords that wait to be verified.
  var queueLength: Int { passwords.queueLength }

  // MARK: Verification

  /// A request that is verified, or that is once a password was hashed.
  private enum Verification {
    case verified(AccountEvent)
    /// `name` is the one who tries.
    case hashing(name: Name, FairWorker<PasswordRecord?>.Work, (PasswordRecord?) -> AccountEvent)
  }

  /// A request arrived from that host. `complete` is called with the answer after the commit, which may be that of a later
  /// turn; with nil if a fault suppresses the answer.
  func receive(
    _ request: AccountRequest, with credentials: SupabaseCredentials, from host: String,
    complete: @escaping (AccountResponse?) -> Void
  ) {
    let sender = TableSender(account: sender(of: request, with: credentials), deviceID: credentials.deviceID)
    zones.ask(.unverified(request), from: sender) { [self] preparation in
      guard case .verify(let ticket, let request, let time) = preparation else { return }
      verify(request, with: credentials, from: host, at: time) { [zones] in zones.verified(ticket, $0) }
    } answer: {
      complete($0?.account)
    }
  }

  /// Verifies a request. Tokens are judged at that time. `complete` is called in this turn, or in a later one if a password
  /// is hashed. A request that is refused becomes an event, too: what refused it may be a change of this turn, which is not
  /// committed yet.
  private func verify(
    _ request: AccountRequest, with credentials: SupabaseCredentials, from host: String, at time: WallTime,
    complete: @escaping (AccountEvent) -> Void
  ) {
    do throws(AccountError) {
      carryOut(try verification(of: request, with: credentials, from: host, at: time), complete)
    } catch {
      complete(.refused(error))
    }
  }

  private func carryOut(_ verification: Verification, _ complete: @escaping (AccountEvent) -> Void) {
    switch verification {
    case .verified(let event): complete(event)
    case .hashing(let name, let work, let event): passwords.run(of: name, { work }) { complete(event($0)) }
    }
  }

  private func verification(
    of request: AccountRequest, with credentials: SupabaseCredentials, from host: String, at time: WallTime
  ) throws(AccountError) -> Verification {
    if request.needsServiceKey { try requireServiceKey(credentials, at: time) }
    switch request {
    case .signIn(let email, let password):
      try admit(email, from: host)
      let known = try AccountServer.password(of: email, in: store)
      let token = freshToken()
      // The work for an address without an account is the same, so that nobody learns from the time which have one.
      let record = known ?? recordOfNone
      return .hashing(name: Self.name(email, host), { PasswordHash.isRight(password, for: record) ? record : nil }) {
        .signIn(email: email, matching: known == nil ? nil : $0, from: host, token)
      }
    case .signUp(let email, let password, let metadata):
      guard AccountRules.email(email) != nil else { throw .noEmail }
      if let error = AccountRules.refusal(ofPassword: password) { throw error }
      try admit(email, from: host)
      let token = freshToken()
      return Self.hashing(password, name: Self.name(email, host)) {
        .signUp(email: email, $0, metadata: metadata, from: host, token)
      }
    case .refresh(let token): return .verified(.refresh(Self.hash(token), freshToken()))
    case .read: return .verified(.read(try claims(credentials, at: time)))
    case .update(let edit):
      let claims = try claims(credentials, at: time)
      if edit.password != nil { try admit(claims.email ?? "", from: host) }
      return try change(edit, name: Self.name(claims.email ?? "", host)) { .update(claims, $0) }
    case .signOut(let scope): return .verified(.signOut(try claims(credentials, at: time), scope))
    case .list(let page, let size): return .verified(.list(page: page, size: size))
    case .create(let edit): return try change(edit, name: Self.administrator) { .create($0) }
    case .find(let id): return .verified(.find(id))
    case .change(let id, let edit): return try change(edit, name: Self.administrator) { .change(id, $0) }
    case .remove(let id): return .verified(.remove(id))
    }
  }

  /// The one who tries with an e-mail address from a host.
  private static func name(_ email: String, _ host: String) -> Name { Name("\(host) \(email)") }

  private static var administrator: Name { "" }

  private static func hashing(
    _ password: String, name: Name, event: @escaping (PasswordRecord) -> AccountEvent
  ) -> Verification {
    .hashing(name: name, { PasswordHash.record(of: password) }) { record in
      record.map(event) ?? .refused(AccountError(.unexpectedFailure, "the password was not hashed; this is a defect"))
    }
  }

  /// An event arrived whose password is hashed first.
  func receive(
    hashing password: String, event: @escaping (PasswordRecord) -> AccountEvent,
    complete: @escaping (AccountResponse) -> Void
  ) {
    carryOut(Self.hashing(password, name: Self.administrator, event: event)) { [self] in receive($0, complete: complete)
    }
  }

  /// The account that sends a request, as far as its tokens name one.
  func sender(of request: AccountRequest, with credentials: SupabaseCredentials) -> UUID? {
    if case .refresh(let token) = request { return AccountServer.account(refreshing: Self.hash(token), in: store) }
    return (try? access.claims(ofBearer: credentials))?.account
  }

  private func admit(_ email: String, from host: String) throws(AccountError) {
    if let error = zones.admit(email: email, from: host) { throw error }
  }

  /// The claims of the access token.
  private func claims(_ credentials: SupabaseCredentials, at time: WallTime) throws(AccountError) -> AccountClaims {
    guard let claims = try anyClaims(credentials, at: time) else { throw .noBearer }
    return claims
  }

  private func anyClaims(
    _ credentials: SupabaseCredentials, at time: WallTime
  ) throws(AccountError) -> AccountClaims? {
    do throws(TokenProblem) {
      let claims = try access.claims(ofBearer: credentials)
      if let problem = claims?.problem(at: time) { throw problem }
      return claims
    } catch {
      throw .badToken(error)
    }
  }

  /// Throws unless the token, or the key if there is no token, is that of the server's owner.
  private func requireServiceKey(_ credentials: SupabaseCredentials, at time: WallTime) throws(AccountError) {
    let claims = try anyClaims(credentials, at: time)
    let role = claims?.role ?? (try? access.role(ofKey: credentials.key))
    guard role == .service else { throw role == .anonymous ? .noBearer : .noAdmin }
  }

  private func change(
    _ edit: AccountEdit, name: Name, event: @escaping (AccountChange) -> AccountEvent
  ) throws(AccountError) -> Verification {
    let change = AccountChange(email: edit.email, metadata: edit.metadata)
    guard let password = edit.password else { return .verified(event(change)) }
    if let error = AccountRules.refusal(ofPassword: password) { throw error }
    return Self.hashing(password, name: name) { record in
      var change = change
      change.password = record
      return event(change)
    }
  }

  /// A refresh token of 22 random characters.
  private func freshToken() -> FreshToken {
    let text = Base64.encodeForURL(RandomIdentifier.bytes(16, using: &zones.generator))
    return FreshToken(text, hash: Self.hash(text))
  }

  private static func hash(_ token: String) -> TokenHash {
    TokenHash(Base64.encodeForURL(SHA256.hash(Array(token.utf8))))
  }
}
