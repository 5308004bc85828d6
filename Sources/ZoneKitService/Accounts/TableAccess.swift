import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableServer
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

  /// The claims of a request's token, whose times are not judged; nil if it has none. Throws if it is not one of this server.
  func claims(ofBearer credentials: SupabaseCredentials) throws(TokenProblem) -> AccountClaims? {
    guard let bearer = credentials.bearer else { return nil }
    if let role = role(named: bearer) { return AccountClaims(role: role, issuedAt: 0, expiresAt: .max) }
    return try keys.claims(of: bearer)
  }

  /// The sender of a request. The times of its token are not judged.
  func sender(of request: HTTPRequest) throws(AccessProblem) -> TableSender {
    let credentials = SupabaseCredentials(request)
    let key = try role(ofKey: credentials.key)
    let token: Result<AccountClaims, TokenProblem>?
    do throws(TokenProblem) {
      token = try claims(ofBearer: credentials).map { .success($0) }
    } catch {
      token = .failure(error)
    }
    return TableSender(key, token: token, deviceID: credentials.deviceID)
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
