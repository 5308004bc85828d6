import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The accounts as a service: it verifies passwords and tokens, and joins the machine of accounts with its store. The
/// requests of a turn are committed together and answered after that.
final class AccountService {
  /// A request of this turn.
  private struct Waiting {
    let ticket: Ticket
    /// The account that the request removes; nil if it removes none.
    let removed: UUID?
    let complete: (AccountResponse) -> Void
  }

  /// Finds out who sends a request.
  let access: TableAccess
  /// Called with each account that is made, in the turn that makes it.
  var onMade: ((UUID) -> Void)?
  /// Called with each account that was removed, after the commit.
  var onRemoved: ((UUID) -> Void)?
  /// The store.
  private(set) var store: AccountFiles
  private var server: AccountServer
  private let now: () -> Moment
  private var generator = SystemGenerator()
  private var turn: [Waiting] = []
  private var lastTicket = 0
  /// How far the clock is ahead that judges the access token of the present request, in milliseconds.
  private var tokenSkew: Int64 = 0
  /// The error of the last commit, until the requests of its turn are answered.
  private(set) var failure: StoreError?

  /// A service over that store.
  init(store: AccountFiles, limits: AccountLimits, access: TableAccess, now: @escaping () -> Moment) {
    self.store = store
    self.access = access
    self.now = now
    server = AccountServer(limits: limits)
  }

  /// Takes in a verified request. `complete` is called with the answer after the commit.
  func receive(_ event: AccountEvent, complete: @escaping (AccountResponse) -> Void) {
    lastTicket += 1
    let ticket = Ticket(lastTicket)
    let made = server.receive(event, ticket: ticket, at: now().wall, in: &store, using: &generator)
    if let made { onMade?(made) }
    let removed: UUID? = if case .remove(let account) = event { account } else { nil }
    turn.append(Waiting(ticket: ticket, removed: removed, complete: complete))
  }

  // MARK: The end of a turn

  /// Commits the changes of the turn. This comes before the commit of the zones, so that no row is kept without its
  /// claim. Returns the error, if any.
  @discardableResult
  func commit() -> StoreError? {
    failure = store.commit()
    return failure
  }

  /// Answers the requests of the turn.
  func answer() {
    var answers: [Ticket: AccountResponse] = [:]
    for effect in server.endTurn(failure) {
      switch effect {
      case .answer(let ticket, let response): answers[ticket] = response
      }
    }
    failure = nil
    let requests = turn
    turn.removeAll(keepingCapacity: true)
    for request in requests {
      let missing = AccountError(.unexpectedFailure, "the request was not answered; this is a defect", retryAfter: 2)
      let response = answers[request.ticket] ?? .failure(missing)
      if let removed = request.removed, case .account = response { onRemoved?(removed) }
      request.complete(response)
    }
  }

  /// Closes the store.
  func close() { store.close() }

  // MARK: Verification

  /// Verifies a request from that host. `note` is called before a password is hashed. A request that is refused becomes
  /// an event, too: what refused it may be a change of this turn, which is not committed yet.
  ///
  /// `skew` is how far the clock is ahead that judges access tokens, in milliseconds.
  func event(
    of request: AccountRequest, with credentials: SupabaseCredentials, from host: String, skew: Int64 = 0,
    noteWork note: () -> Void
  ) -> AccountEvent {
    tokenSkew = skew
    defer { tokenSkew = 0 }
    do throws(AccountError) {
      return try verified(request, with: credentials, from: host, noteWork: note)
    } catch {
      return .refused(error)
    }
  }

  private func verified(
    _ request: AccountRequest, with credentials: SupabaseCredentials, from host: String, noteWork note: () -> Void
  ) throws(AccountError) -> AccountEvent {
    if request.needsServiceKey { try requireServiceKey(credentials) }
    switch request {
    case .signIn(let email, let password):
      try admit(email, from: host)
      let known = try server.password(of: email, in: store)
      let isRight = known.map { known in
        note()
        return PasswordHash.isRight(password, for: known)
      }
      return .signIn(email: email, isRight: isRight ?? false, freshToken())
    case .signUp(let email, let password, let metadata):
      guard AccountRules.email(email) != nil else { throw .noEmail }
      if let error = AccountRules.refusal(ofPassword: password) { throw error }
      try admit(email, from: host)
      note()
      return .signUp(email: email, PasswordHash.record(of: password), metadata: metadata, freshToken())
    case .refresh(let token): return .refresh(Self.hash(token), freshToken())
    case .read: return .read(try claims(credentials))
    case .update(let edit):
      let claims = try claims(credentials)
      if edit.password != nil { try admit(claims.email ?? "", from: host) }
      return .update(claims, try change(edit, noteWork: note))
    case .signOut(let scope): return .signOut(try claims(credentials), scope)
    case .list(let page, let size): return .list(page: page, size: size)
    case .create(let edit): return .create(try change(edit, noteWork: note))
    case .find(let id): return .find(id)
    case .change(let id, let edit): return .change(id, try change(edit, noteWork: note))
    case .remove(let id): return .remove(id)
    }
  }

  /// The account that sends a request, as far as its tokens name one that exists. They are not verified.
  func sender(of request: AccountRequest, with credentials: SupabaseCredentials) -> UUID? {
    if case .refresh(let token) = request {
      return (try? store.refreshToken(Self.hash(token))).flatMap { $0 }
        .flatMap { try? store.session($0.session) }?.account
    }
    return (try? access.claims(ofBearer: credentials, at: now().wall, ignoringEnd: true))?.account
  }

  private func admit(_ email: String, from host: String) throws(AccountError) {
    if let error = server.admit(email: email, from: host, at: now().monotonic) { throw error }
  }

  /// The claims of the access token.
  private func claims(_ credentials: SupabaseCredentials) throws(AccountError) -> AccountClaims {
    guard let claims = try anyClaims(credentials) else { throw .noBearer }
    return claims
  }

  private func anyClaims(_ credentials: SupabaseCredentials) throws(AccountError) -> AccountClaims? {
    do throws(TokenProblem) {
      return try access.claims(ofBearer: credentials, at: now().wall.advanced(byMilliseconds: tokenSkew))
    } catch {
      throw .badToken(error)
    }
  }

  /// Throws unless the token, or the key if there is no token, is that of the server's owner.
  private func requireServiceKey(_ credentials: SupabaseCredentials) throws(AccountError) {
    let claims = try anyClaims(credentials)
    let role = claims?.role ?? (try? access.role(ofKey: credentials.key))
    guard role == .service else { throw role == .anonymous ? .noBearer : .noAdmin }
  }

  private func change(
    _ edit: AccountEdit, noteWork note: () -> Void
  ) throws(AccountError) -> AccountChange {
    var change = AccountChange(email: edit.email, metadata: edit.metadata)
    if let password = edit.password {
      if let error = AccountRules.refusal(ofPassword: password) { throw error }
      note()
      change.password = PasswordHash.record(of: password)
    }
    return change
  }

  /// A refresh token of 22 random characters.
  private func freshToken() -> FreshToken {
    let text = Base64.encodeForURL(RandomIdentifier.bytes(16, using: &generator))
    return FreshToken(text, hash: Self.hash(text))
  }

  private static func hash(_ token: String) -> TokenHash {
    TokenHash(Base64.encodeForURL(SHA256.hash(Array(token.utf8))))
  }
}
