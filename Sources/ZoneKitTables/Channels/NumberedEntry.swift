/// An entry of a joined channel with the number that its changes name.
package struct NumberedEntry: Equatable, Sendable {
  /// The number: never 0, which clients take for none.
  package var id: Int64
  /// What was asked for.
  package var entry: ChannelEntry

  /// An entry with that number.
  package init(_ id: Int64, _ entry: ChannelEntry) {
    self.id = id
    self.entry = entry
  }
}
