/// Formats numbers as hexadecimal text of a fixed width. The generic conversion of the standard library was the most
/// expensive function in a profile of the cloud.
enum Hexadecimal {
  /// Sixteen digits.
  static func text(_ value: UInt64, isUppercase: Bool = false) -> String {
    let digits: [UInt8] = Array((isUppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    let bytes = (0..<16).map { digits[Int((value >> UInt64(60 - 4 * $0)) & 0xF)] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
