/// A constant as it is written.
package enum SQLConstant: Equatable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// An integer that fits 64 bits.
  case integer(Int64)
  /// Any other number, with its digits.
  case number(String)
  /// A text, or a value of another type that is written as a text.
  case text(String)
}
