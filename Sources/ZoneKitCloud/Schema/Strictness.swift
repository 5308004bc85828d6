/// The rules in which the real service is stricter than its clients need (CloudKit Web Services, i). Without one of them the
/// cloud accepts what clients are known to send.
package struct Strictness: OptionSet, Hashable, Sendable {
  /// One bit for each rule.
  package let rawValue: UInt8

  /// The rules with these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A save or query of a record type or field that the container does not have fails; otherwise a save makes it (c.1 and
  /// i.25).
  package static let fixedSchema = Strictness(rawValue: 1 << 0)
  /// A `delete` without a change tag conflicts; otherwise it deletes the present record (c.1 and i.6).
  package static let taggedDeletes = Strictness(rawValue: 1 << 1)
  /// An empty sync token stands for the newest state; otherwise for the beginning (c.6 and i.17).
  package static let emptyTokenIsCurrent = Strictness(rawValue: 1 << 2)
  /// A TIMESTAMP with a fraction is refused; otherwise it is truncated (b.4 and i.36).
  package static let wholeTimestamps = Strictness(rawValue: 1 << 3)
  /// The value of IN and NOT_IN has to name its list type; otherwise that is inferred (b.6).
  package static let typedLists = Strictness(rawValue: 1 << 4)
  /// A request with tokens and a signature is refused; otherwise the signature counts (e.1).
  package static let oneCredential = Strictness(rawValue: 1 << 5)

  /// All rules.
  package static let all = Strictness(rawValue: 0b11_1111)
}

/// How a cloud differs from one that accepts everything that clients are known to send.
package struct CloudPolicy: Hashable, Sendable {
  /// The rules that are strict.
  package var strictness: Strictness = []
  /// The schema of every container, with its indexes and permissions; nil for those that grow by use.
  package var schema: ContainerSchema?

  /// A policy with those rules and that schema.
  package init(strictness: Strictness = [], schema: ContainerSchema? = nil) {
    (self.strictness, self.schema) = (strictness, schema)
  }
}
