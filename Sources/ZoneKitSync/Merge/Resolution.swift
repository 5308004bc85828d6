/// What a merge policy made of a conflict.
public struct Resolution: Hashable, Sendable {
  /// What is left of the two versions.
  public enum Outcome: Hashable, Sendable {
    /// The local version; where that is a deletion, the record goes.
    case keepLocal
    /// The cloud's version; where that is a deletion, the record goes.
    case adoptServer
    /// A version made of both.
    case merged(RecordContent)
    /// Neither: the record goes.
    case delete
  }

  /// What is left.
  public var outcome: Outcome
  /// The name of the rule that decided, for the journal, such as `updatedAt`, `endDate`, `content` or `merged`.
  public var rule: String

  /// That outcome by that rule.
  public init(_ outcome: Outcome, rule: String) {
    self.outcome = outcome
    self.rule = rule
  }
}
