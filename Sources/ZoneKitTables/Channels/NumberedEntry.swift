/// An entry of a joined channel with the number that its changes name.
public struct NumberedEntry: Equatable, Sendable {
  /// The number: never 0, which clients take for none.
  public var id: Int64
  /// What was asked for.
  public var entry: ChannelEntry

  /// An entry with that number.
  public init(_ id: Int64, _ entry: ChannelEntry) {
    self.id = id
    self.entry = entry
  }
}
