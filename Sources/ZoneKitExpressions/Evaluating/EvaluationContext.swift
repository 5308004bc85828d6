import ZoneKitRecords
import ZoneKitRelations

/// What a value depends on beside the row: who asks, when, and the rows of other tables.
package struct EvaluationContext {
  /// The time of the statement, in microseconds from 1970.
  package var now: Int64
  /// The time when it is asked for, in microseconds from 1970.
  package var clock: () -> Int64
  /// A new random identifier.
  package var randomUUID: () -> UUID
  /// The role that runs the statement.
  package var role: String
  /// The claims of the user's token; nil if there is none.
  package var claims: JSONBValue?
  /// The rows of a table that may be seen.
  package var rows: (RelationShape) throws(SQLFailure) -> [[Datum]]

  /// A context at that time, for the role and claims. Without rows, every table is empty.
  package init(
    now: Int64, role: String = "anon", claims: JSONBValue? = nil, clock: (() -> Int64)? = nil,
    randomUUID: @escaping () -> UUID,
    rows: @escaping (RelationShape) throws(SQLFailure) -> [[Datum]] = { (_) throws(SQLFailure) in [] }
  ) {
    (self.now, self.role, self.claims, self.randomUUID, self.rows) = (now, role, claims, randomUUID, rows)
    self.clock = clock ?? { now }
  }

  /// The account of the user's token; nil if there is none.
  package var accountID: UUID? { claim("sub").flatMap { UUID($0) } }

  /// The text of a member of the claims; nil if there is none.
  func claim(_ name: String) -> String? {
    guard case .object(let members)? = claims else { return nil }
    return members.first { $0.key.isSame(name) }?.value.plainText
  }
}

extension JSONBValue {
  /// The text that `->>` finds: a string without quotes, and nil for null.
  var plainText: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    default: text
    }
  }
}
