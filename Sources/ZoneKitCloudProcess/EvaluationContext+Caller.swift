import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

extension EvaluationContext {
  /// The context of a statement that a caller runs: its role and the claims of its token. The claims of an account are those that
  /// the service gives it: its ID, address and metadata; `account` is nil for one that is not there any more.
  package init(
    of caller: RowCaller.Role, _ account: Account?, at now: WallTime, randomUUID: @escaping () -> UUID
  ) {
    let role: AccountClaims.Role
    var members: [JSON.Member] = []
    switch caller {
    case .anonymous: role = .anonymous
    case .service: role = .service
    case .account(let id):
      role = .authenticated
      members = [
        JSON.Member("sub", .string(id.text)), JSON.Member("aud", "authenticated"),
        JSON.Member("email", account.map { .string($0.email) } ?? .null),
        JSON.Member("app_metadata", ["provider": "email", "providers": ["email"]]),
        JSON.Member("user_metadata", .object(account?.metadata ?? [])),
      ]
    }
    members.append(JSON.Member("role", .string(role.rawValue)))
    self.init(
      now: now.milliseconds * 1_000, role: role.rawValue, claims: JSONBValue(.object(members)), randomUUID: randomUUID)
  }
}
