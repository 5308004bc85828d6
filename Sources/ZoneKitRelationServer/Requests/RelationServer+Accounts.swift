import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// Accounts as rows of `auth.users`, so that rows can refer to them.
extension RelationServer {
  /// The accounts that have a row.
  package func accounts(_ context: EvaluationContext) throws(StoreError) -> [UUID] {
    try reading { () throws(RelationFailure) in
      try store.rows(RowSearch(BuiltInTables.users, context)).compactMap { row in
        if case .uuid(let id)? = row.values.first { id } else { nil }
      }
    }
  }

  /// Makes the row of an account what the account is. Returns what changed, or why that cannot be.
  package mutating func set(
    _ account: Account, _ context: EvaluationContext
  ) -> Result<[RelationChange], RowError> {
    guard let table = schema.tables[BuiltInTables.users] else { return .success([]) }
    let row = Self.row(of: account, in: table)
    return writing(context) { statements throws(RelationFailure) in
      if let known = try statements.row(of: table.name, with: [0], [.uuid(account.id)]) {
        guard row.contains(where: { known.values[$0] != $1 }) else { return }
        _ = try statements.update([known], row, in: table, isReturning: false)
      } else {
        _ = try statements.insert([row], into: table, isReturning: false)
      }
    }
  }

  /// Removes the row of an account with all that goes with it. Returns what changed, or why rows keep it.
  package mutating func removeAccount(
    _ account: UUID, _ context: EvaluationContext
  ) -> Result<[RelationChange], RowError> {
    guard let table = schema.tables[BuiltInTables.users] else { return .success([]) }
    return writing(context) { statements throws(RelationFailure) in
      guard let known = try statements.row(of: table.name, with: [0], [.uuid(account)]) else { return }
      try statements.delete([known], from: table)
    }
  }

  /// The values of an account by their columns' places.
  private static func row(of account: Account, in table: PreparedTable) -> [Int: Datum] {
    func time(_ time: WallTime?) -> Datum { time.map { .timestamp($0.milliseconds * 1_000) } ?? .null }
    let app: JSON = ["provider": "email", "providers": ["email"]]
    let values: [String: Datum] = [
      "id": .uuid(account.id), "email": .text(account.email),
      "raw_user_meta_data": JSONBValue(.object(account.metadata)).map { .jsonb($0) } ?? .null,
      "raw_app_meta_data": JSONBValue(app).map { .jsonb($0) } ?? .null,
      "created_at": time(account.createdAt), "updated_at": time(account.updatedAt),
      "last_sign_in_at": time(account.lastSignInAt),
    ]
    return Dictionary(
      uniqueKeysWithValues: values.compactMap { name, value in table.index(of: name).map { ($0, value) } })
  }

  /// Changes rows for the server itself. Returns what changed, or why nothing did.
  private mutating func writing(
    _ context: EvaluationContext, _ body: (inout RowStatements<Store>) throws(RelationFailure) -> Void
  ) -> Result<[RelationChange], RowError> {
    var own = context
    own.role = RowSecurity.unlimitedRole
    var statements = RowStatements(schema, on: store, own)
    defer { store = statements.store }
    do throws(StoreError) {
      let result = try statements.undoing { statements in
        Result { () throws(RelationFailure) in try body(&statements) }
      }
      return result.map { statements.changes }.mapError { RowError($0, isSignedIn: true) }
    } catch {
      return .failure(RowError(RelationFailure.store(error), isSignedIn: true))
    }
  }

  private func reading<Value>(_ body: () throws(RelationFailure) -> Value) throws(StoreError) -> Value {
    do throws(RelationFailure) {
      return try body()
    } catch {
      throw StoreError(error)
    }
  }
}

extension StoreError {
  /// The error of a read or a write of the server itself.
  fileprivate init(_ failure: RelationFailure) {
    switch failure {
    case .store(let error): self = error
    case .refused(let failure): self.init(.failed, failure.description, place: "the accounts' rows")
    }
  }
}
