/// A text about an object of the schema.
package struct CommentStatement: Equatable, Sendable {
  /// What the text is about.
  package enum Subject: Equatable, Sendable {
    /// A table.
    case table(SQLName)
    /// A column of a table.
    case column(SQLName, String)
  }

  /// What the text is about.
  package var subject: Subject
  /// The text; nil takes away the one that is there.
  package var text: String?

  /// A text about that object.
  package init(_ subject: Subject, _ text: String?) {
    self.subject = subject
    self.text = text
  }
}
