/// Converts numbers to hexadecimal digits and back. The generic conversion of the standard library was the most expensive
/// function in a profile of the cloud.
package enum Hexadecimal {
  /// All 32 digits in lower case.
  package static func text(_ value: UInt128) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    append(UInt64(truncatingIfNeeded: value >> 64), to: &digits)
    append(UInt64(truncatingIfNeeded: value), to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// All 16 digits in lower case.
  package static func text(_ value: UInt64) -> String {
    var digits: [UInt8] = []
    append(value, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// The digits of bytes in lower case, two for each.
  package static func text(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.flatMap { [digit($0 >> 4, isUppercase: false), digit($0 & 0xF, isUppercase: false)] },
      as: UTF8.self)
  }

  private static func append(_ value: UInt64, to digits: inout [UInt8]) {
    for shift in stride(from: 60, through: 0, by: -4) {
      digits.append(digit(UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xF, isUppercase: false))
    }
  }

  /// The digit of a number below 16.
  package static func digit(_ value: UInt8, isUppercase: Bool) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : (isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) + value - 10
  }

  /// The number that a digit of either case stands for; nil for another byte.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
