/// What an app tells its screens about a change of another device in a table.
package struct TableNotice: Hashable, Sendable {
  /// The notice's name, such as `transactionChanged`.
  package var name: String
  /// The sentence for people about an inserted row; nil if they are not told.
  package var insertText: String?

  /// A notice of that name.
  package init(_ name: String, insertText: String? = nil) {
    self.name = name
    self.insertText = insertText
  }
}
