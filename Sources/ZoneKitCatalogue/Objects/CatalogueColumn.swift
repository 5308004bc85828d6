import ZoneKitRelations
import ZoneKitSchema

/// A column of a table.
package struct CatalogueColumn: Equatable, Sendable {
  /// The column's name.
  package var name: String
  /// The type of its values.
  package var type: DatumType
  /// Whether it may be null.
  package var isNullable: Bool
  /// The value of a new row that names none; null for nil.
  package var defaultValue: SQLExpression?
  /// What the value is computed of when a row is written; nil for a value of a writer.
  package var generated: SQLExpression?
  /// How the server counts; nil if it does not.
  package var identity: Identity?
  /// What a comment says about it.
  package var comment: String?

  /// A column of that type.
  package init(
    _ name: String, _ type: DatumType, isNullable: Bool = true, defaultValue: SQLExpression? = nil,
    identity: Identity? = nil
  ) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
    self.defaultValue = defaultValue
    self.identity = identity
  }

  /// How the server gives a column numbers.
  package enum Identity: Equatable, Sendable {
    /// A writer may not name a number.
    case always
    /// A writer may name a number.
    case byDefault
    /// The column is a serial one: its default is the next number.
    case serial

    /// Whether a row may name a number.
    package var allowsNumbers: Bool { self != .always }
  }
}
