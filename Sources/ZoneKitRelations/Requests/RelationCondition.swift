/// A condition for a row, as a client states it.
package indirect enum RelationCondition: Equatable, Sendable {
  /// All are fulfilled.
  case all([RelationCondition])
  /// One is fulfilled.
  case any([RelationCondition])
  /// It is not fulfilled.
  case not(RelationCondition)
  /// A value is compared with that of a text.
  case compare(RelationField, RelationComparison, String)
  /// A value is compared with each element of an array, which is written as PostgreSQL does.
  case compareElements(RelationField, RelationComparison, isAny: Bool, String)
  /// A value is one of those.
  case isIn(RelationField, [String])
  /// A value is null, not null, true, false or unknown. The field may also be a name of related rows, of which there are none
  /// or some.
  case test(RelationField, RelationTest)
}

/// How two values are compared. The raw value is PostgREST's word.
package enum RelationComparison: String, Hashable, Sendable, CaseIterable {
  case equal = "eq"
  case notEqual = "neq"
  case less = "lt"
  case lessOrEqual = "lte"
  case greater = "gt"
  case greaterOrEqual = "gte"
  case like
  case anyCaseLike = "ilike"
  case matches = "match"
  case anyCaseMatches = "imatch"
  case isDistinctFrom = "isdistinct"
  case contains = "cs"
  case isContainedBy = "cd"
  case overlaps = "ov"
}

/// A test of one value. The raw value is PostgREST's word.
package enum RelationTest: String, Hashable, Sendable, CaseIterable {
  case isNull = "null"
  case isNotNull = "not_null"
  case isTrue = "true"
  case isFalse = "false"
  case isUnknown = "unknown"
}
