/// A type with the values that it has, in their order.
package struct CreateEnum: Equatable, Sendable {
  /// The type.
  package var name: SQLName
  /// Its values.
  package var values: [String]

  /// A type with those values.
  package init(_ name: SQLName, _ values: [String]) {
    self.name = name
    self.values = values
  }
}

/// Another value of a type that a schema made.
package struct AddEnumValue: Equatable, Sendable {
  /// Where the value comes in the order of the others.
  package enum Position: Equatable, Sendable {
    /// Behind all.
    case last
    /// In front of that one.
    case before(String)
    /// Behind that one.
    case after(String)
  }

  /// The type.
  package var name: SQLName
  /// The value.
  package var value: String
  /// Where it comes.
  package var position: Position
  /// Whether it may be there already.
  package var ifNotExists: Bool

  /// A value of that type.
  package init(_ name: SQLName, _ value: String, _ position: Position = .last, ifNotExists: Bool = false) {
    self.name = name
    self.value = value
    self.position = position
    self.ifNotExists = ifNotExists
  }
}
