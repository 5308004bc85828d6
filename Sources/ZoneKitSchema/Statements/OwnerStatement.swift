/// The owner of an object that is no table, which has no effect here.
package struct OwnerStatement: Equatable, Sendable {
  /// The kind of an object. The raw value is how it is written.
  package enum Kind: String, Equatable, Sendable, CaseIterable {
    case type = "TYPE"
    case function = "FUNCTION"
    case schema = "SCHEMA"
    case publication = "PUBLICATION"
  }

  /// The kind of the object.
  package var kind: Kind
  /// The object.
  package var name: SQLName
  /// Its owner.
  package var role: SQLRole

  /// The owner of that object.
  package init(_ kind: Kind, _ name: SQLName, to role: SQLRole) {
    self.kind = kind
    self.name = name
    self.role = role
  }
}
