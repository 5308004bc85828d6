/// An operator between two values. The raw value is how it is written.
package enum SQLOperator: String, Equatable, Sendable, CaseIterable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case modulo = "%"
  case joined = "||"
  case like = "LIKE"
  case notLike = "NOT LIKE"
  case anyCaseLike = "ILIKE"
  case notAnyCaseLike = "NOT ILIKE"
  case matches = "~"
  case anyCaseMatches = "~*"
  case notMatches = "!~"
  case notAnyCaseMatches = "!~*"
  /// The member of a JSON value.
  case member = "->"
  /// The text of the member of a JSON value.
  case memberText = "->>"
  /// Whether the first array or JSON value has all that the second one has.
  case contains = "@>"
  /// Whether the second array or JSON value has all that the first one has.
  case isContainedBy = "<@"
  /// Whether two arrays have an element in common.
  case overlaps = "&&"
  /// Whether a JSON value has a member of that name, or an array that text.
  case hasKey = "?"
  /// Whether it has one of several.
  case hasAnyKey = "?|"
  /// Whether it has all of several.
  case hasAllKeys = "?&"
  case isDistinctFrom = "IS DISTINCT FROM"
  case isNotDistinctFrom = "IS NOT DISTINCT FROM"

  /// The operator of that name in PostgreSQL's catalogue; nil if there is none here.
  init?(catalogueName name: String) {
    switch name {
    case "~~": self = .like
    case "!~~": self = .notLike
    case "~~*": self = .anyCaseLike
    case "!~~*": self = .notAnyCaseLike
    case "LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM": return nil
    default: self.init(rawValue: name)
    }
  }

  /// Whether it may stand in front of `any (…)` and `all (…)`.
  var canBeQuantified: Bool {
    switch self {
    case .isDistinctFrom, .isNotDistinctFrom, .member, .memberText: false
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .plus, .minus, .times, .divided, .modulo,
      .joined, .like, .notLike, .anyCaseLike, .notAnyCaseLike, .matches, .anyCaseMatches, .notMatches,
      .notAnyCaseMatches, .contains, .isContainedBy, .overlaps, .hasKey, .hasAnyKey, .hasAllKeys:
      true
    }
  }
}
