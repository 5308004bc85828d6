/// Converts numbers to hexadecimal digits and back. The generic conversion of the standard library was the most expensive
/// function in a profile of the cloud.
package enum Hexadecimal {
  /// Sixteen digits in lower case.
  static func text(_ value: UInt64) -> String {
    let digits = (0..<16).map { digit(UInt8(value >> UInt64(60 - 4 * $0) & 0xF), isUppercase: false) }
    return String(decoding: digits, as: UTF8.self)
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
