/// What an app tells its screens about a change of another device in a table.
public struct TableNotice: Hashable, Sendable {
  /// The notice's name, such as `transactionChanged`.
  public var name: String
  /// The sentence for people about an inserted row; nil if they are not told.
  public var insertText: String?

  /// A notice of that name.
  public init(_ name: String, insertText: String? = nil) {
    self.name = name
    self.insertText = insertText
  }
}
