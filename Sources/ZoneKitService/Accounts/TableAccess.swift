import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// Finds out from keys and tokens who sends a request to a Supabase-style service.
struct TableAccess {
  /// The keys of the server.
  let keys: ServiceKeys
  /// The accounts.
  let accounts: AccountFiles
  /// Whether any text is taken for the key of apps.
  let isOpen: Bool

  /// What the key of a request allows. Every request needs a key.
  func role(ofKey key: String?) throws(AccessProblem) -> AccountClaims.Role {
    guard let key else { throw .noKey }
    if let role = role(named: key) { return role }
    guard isOpen else { throw .wrongKey }
    return .anonymous
  }

  /// The key if it is one of the server's own; nil for any other text, which with `--auth open` counts as one key.
  func ownKey(_ key: String?) -> String? { key.flatMap { role(named: $0) == nil ? nil : $0 } }

  /// The claims of a token in a message of a channel. Throws if it is not valid at that time, or if its account is gone or
  /// cannot be looked up.
  func claims(ofMessage token: String, at now: WallTime) throws(TokenProblem) -> AccountClaims {
    let claims = try keys.claims(of: token, at: now)
    let problem: TokenProblem?
    do throws(StoreError) {
      problem = try AccountServer.refusal(of: claims, in: accounts)
    } catch {
      throw .claims("the accounts cannot be read")
    }
    if let problem { throw problem }
    return claims
  }

  /// The claims of a request's token; nil if it has none. With `ignoringEnd` a token that has ended is valid.
  func claims(
    ofBearer credentials: SupabaseCredentials, at now: WallTime, ignoringEnd: Bool = false
  ) throws(TokenProblem) -> AccountClaims? {
    guard let bearer = credentials.bearer else { return nil }
    if let role = role(named: bearer) { return AccountClaims(role: role, issuedAt: 0, expiresAt: 0) }
    return try keys.claims(of: bearer, at: now, ignoringEnd: ignoringEnd)
  }

  /// The sender of a request. A token decides over the key. With `ignoringEnd` a token that has ended is valid.
  func caller(
    of request: HTTPRequest, at now: WallTime, ignoringEnd: Bool = false
  ) throws(AccessProblem) -> RowCaller {
    let credentials = SupabaseCredentials(request)
    var role = try role(ofKey: credentials.key)
    var account: UUID?
    if let claims = try admittedClaims(credentials, at: now, ignoringEnd: ignoringEnd) {
      (role, account) = (claims.role, claims.account)
    }
    let caller: RowCaller.Role =
      switch role {
      case .anonymous: .anonymous
      case .service: .service
      case .authenticated: account.map { .account($0) } ?? .anonymous
      }
    return RowCaller(caller, deviceID: credentials.deviceID)
  }

  private func admittedClaims(
    _ credentials: SupabaseCredentials, at now: WallTime, ignoringEnd: Bool
  ) throws(AccessProblem) -> AccountClaims? {
    let found: AccountClaims?
    do throws(TokenProblem) {
      found = try claims(ofBearer: credentials, at: now, ignoringEnd: ignoringEnd)
    } catch {
      throw .token(error)
    }
    guard let found else { return nil }
    let problem: TokenProblem?
    do throws(StoreError) {
      problem = try AccountServer.refusal(of: found, in: accounts)
    } catch {
      throw .unavailable(error)
    }
    if let problem { throw .token(problem) }
    return found
  }

  /// The role of one of the server's keys; nil for any other text.
  private func role(named key: String) -> AccountClaims.Role? {
    for (known, role) in [
      (keys.anonymousKey, AccountClaims.Role.anonymous), (keys.publishableKey, .anonymous),
      (keys.serviceKey, .service), (keys.secretKey, .service),
    ] where ConstantTime.areEqual(known, key) { return role }
    return nil
  }
}
