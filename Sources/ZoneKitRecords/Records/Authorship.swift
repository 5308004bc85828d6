/// When and by whom a record was created or last modified, by the cloud's clock (CloudKit Web Services, b.3 and c.7).
public struct Authorship: Hashable, Sendable {
  /// When the cloud committed the change.
  public var at: WallTime
  /// Who made it.
  public var author: Author

  /// A change at that time by that author.
  public init(at: WallTime, author: Author) {
    self.at = at
    self.author = author
  }
}
