/// The decision on one row of a write.
package enum RowVerdict: String, Hashable, Sendable, CaseIterable {
  /// The row is new.
  case inserted
  /// The row was changed.
  case updated
  /// The row has this content already.
  case same
  /// The change was accepted before.
  case `repeat`
  /// The row that exists is greater and stays.
  case kept
}
