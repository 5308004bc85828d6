import ZoneKitRecords

/// The decision of a merge policy about a conflict.
public struct Resolution: Hashable, Sendable {
  /// What replaces the two versions.
  public enum Outcome: Hashable, Sendable {
    /// The local version; if that is a deletion, the record is deleted.
    case keepLocal
    /// The cloud's version; if that is a deletion, the record is deleted.
    case adoptServer
    /// A version merged from both.
    case merged(RecordContent)
    /// A deletion.
    case delete
  }

  /// What replaces the two versions.
  public var outcome: Outcome
  /// The name of the deciding rule for the journal, such as `updatedAt`, `endDate`, `content` or `merged`.
  public var rule: String

  /// That outcome, decided by that rule.
  public init(_ outcome: Outcome, rule: String) {
    self.outcome = outcome
    self.rule = rule
  }
}
