/// How much a request may ask for.
package enum RelationLimits {
  /// The steps of functions that a statement does.
  static let routineSteps = 200_000

  /// The most rows of an answer, beside related ones (Supabase: max rows).
  package static let rows = 1_000
  /// The most related rows of an answer, and of the tables between.
  package static let relatedRows = 50_000
  /// The most bytes of an answer.
  package static let answerBytes = 64 << 20
  /// The most rows that a request changes or removes.
  package static let changedRows = 50_000
}
