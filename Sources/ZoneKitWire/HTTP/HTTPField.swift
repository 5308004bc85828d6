/// One field of a head: a name, in any case, and its value.
package struct HTTPField: Hashable, Sendable {
  /// The name as written.
  package var name: String
  /// The value without the space around it.
  package var value: String

  /// Makes a field.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
