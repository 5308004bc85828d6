/// The author and time of a record's creation or last change, by the cloud's clock (CloudKit Web Services, b.3 and
/// c.7).
public struct Authorship: Hashable, Sendable {
  /// When the cloud committed the change.
  public var at: WallTime
  /// The author of the change.
  public var author: Author

  /// A change at that time by that author.
  public init(at: WallTime, author: Author) {
    self.at = at
    self.author = author
  }
}
