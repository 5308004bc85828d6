/// A header field: a case-insensitive name and a value.
package struct HTTPField: Hashable, Sendable {
  /// The name as written.
  package var name: String
  /// The value without surrounding whitespace.
  package var value: String

  /// A field with that name and value.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
