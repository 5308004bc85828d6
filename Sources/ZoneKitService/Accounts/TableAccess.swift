import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// Finds out from keys and tokens who sends a request to a Supabase-style service.
struct TableAccess {
  /// The keys of the server.
  let keys: ServiceKeys
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
    do throws(TokenProblem) {
      if let claims = try claims(ofBearer: credentials, at: now, ignoringEnd: ignoringEnd) {
        (role, account) = (claims.role, claims.account)
      }
    } catch {
      throw .token(error)
    }
    let caller: RowCaller.Role =
      switch role {
      case .anonymous: .anonymous
      case .service: .service
      case .authenticated: account.map { .account($0) } ?? .anonymous
      }
    return RowCaller(caller, deviceID: credentials.deviceID)
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
