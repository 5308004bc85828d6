/// A statement that changes nothing that a client can see, such as a comment on an index, as its text.
package struct EffectlessStatement: Equatable, Sendable {
  /// The text, without the semicolon behind it.
  package var sql: String

  /// A statement with that text.
  package init(_ sql: String) { self.sql = sql }
}
