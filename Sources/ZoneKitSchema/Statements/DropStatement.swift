/// Objects that go. Whether they were there is not known here.
package struct DropStatement: Equatable, Sendable {
  /// What goes.
  package enum Subject: Equatable, Sendable {
    /// Tables.
    case tables([SQLName])
    /// Views.
    case views([SQLName])
    /// Types.
    case types([SQLName])
    /// Functions.
    case functions([SQLName])
    /// Indexes.
    case indexes([SQLName])
    /// Schemas.
    case schemas([String])
    /// Extensions.
    case extensions([String])
    /// The publication.
    case publication
    /// A trigger of a table.
    case trigger(String, on: SQLName)
    /// A policy of a table.
    case policy(String, on: SQLName)
  }

  /// What goes.
  package var subject: Subject
  /// Whether it may be missing.
  package var ifExists: Bool
  /// Whether what depends on it goes too.
  package var isCascading: Bool

  /// Objects that go.
  package init(_ subject: Subject, ifExists: Bool = true, isCascading: Bool = false) {
    self.subject = subject
    self.ifExists = ifExists
    self.isCascading = isCascading
  }
}
