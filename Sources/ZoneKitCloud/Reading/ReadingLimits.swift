/// The most that a request may read from the store. What would be more is refused before anything is changed.
package struct ReadingLimits: Hashable, Sendable {
  /// The most bytes of records.
  var bytes = AnswerSize.reading
  /// The most records that are read because they depend on others.
  var dependents = Int.max

  /// No limits, for an administrator's operations.
  static let none = ReadingLimits(bytes: .max)
}
