/// A test of one value that is never null itself. The raw value is how it is written behind the value.
package enum SQLTest: String, Equatable, Sendable, CaseIterable {
  case isNull = "IS NULL"
  case isNotNull = "IS NOT NULL"
  case isTrue = "IS TRUE"
  case isNotTrue = "IS NOT TRUE"
  case isFalse = "IS FALSE"
  case isNotFalse = "IS NOT FALSE"
  case isUnknown = "IS UNKNOWN"
  case isNotUnknown = "IS NOT UNKNOWN"
}
