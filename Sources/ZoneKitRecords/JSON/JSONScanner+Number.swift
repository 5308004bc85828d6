extension JSONScanner {
  /// The number that starts at the next byte.
  mutating func number(in bytes: Span<UInt8>) throws(JSONError) -> JSON {
    let start = position
    let negative = bytes[position] == UInt8(ascii: "-")
    if negative { position += 1 }
    var digits = Digits()
    try wholePart(&digits, in: bytes)
    var isWhole = true
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      let fraction = position
      try digitRun(&digits, in: bytes)
      digits.exponent = fraction - position
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      try exponentPart(&digits, in: bytes)
    }
    if isWhole, let integer = digits.integer(negative: negative) { return .integer(integer) }
    let exact = digits.exactDouble(negative: negative)
    guard isExact else {
      if let exact { return .number(exact) }
      return .number(try slowDouble(from: start, in: bytes))
    }
    let text = text(start, in: bytes)
    let number = exact ?? Double(text).flatMap { $0.isFinite ? $0 : nil }
    if let number, number.description == text { return .number(number) }
    return .verbatim(JSON.Verbatim(text: text, string: nil, number: number))
  }

  private mutating func wholePart(_ digits: inout Digits, in bytes: Span<UInt8>) throws(JSONError) {
    let first = position
    try digitRun(&digits, in: bytes)
    if position > first + 1, bytes[first] == UInt8(ascii: "0") {
      throw failure("expected no digit after a leading zero, found one", at: first + 1, in: bytes)
    }
  }

  private mutating func digitRun(_ digits: inout Digits, in bytes: Span<UInt8>) throws(JSONError) {
    let first = position
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      digits.append(digit)
      position += 1
    }
    guard position > first else { throw failure("expected a digit, found \(found(in: bytes))", in: bytes) }
  }

  private mutating func exponentPart(_ digits: inout Digits, in bytes: Span<UInt8>) throws(JSONError) {
    position += 1
    var negative = false
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
      negative = bytes[position] == UInt8(ascii: "-")
      position += 1
    }
    var exponent = Digits()
    try digitRun(&exponent, in: bytes)
    guard !exponent.overflowed, exponent.value < 1_000 else {
      // Too large for the fast path. The value is computed from the text.
      digits.overflowed = true
      return
    }
    digits.exponent += negative ? -Int(exponent.value) : Int(exponent.value)
  }

  private func slowDouble(from start: Int, in bytes: Span<UInt8>) throws(JSONError) -> Double {
    guard let value = Double(text(start, in: bytes)), value.isFinite else {
      throw failure("expected a number within the range of a Double, found a greater one", at: start, in: bytes)
    }
    return value
  }

  /// The decimal digits of a number, as far as they fit 64 bits.
  private struct Digits {
    var value: UInt64 = 0
    var exponent = 0
    var overflowed = false

    mutating func append(_ digit: UInt8) {
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(UInt64(digit))
      value = sum
      if overflow || carry { overflowed = true }
    }

    /// The integer; nil if it does not fit Int64 or is a negative zero, whose sign only a Double can represent.
    func integer(negative: Bool) -> Int64? {
      guard !overflowed else { return nil }
      if !negative { return Int64(exactly: value) }
      guard value > 0, value <= UInt64(Int64.max) + 1 else { return nil }
      return Int64(truncatingIfNeeded: 0 &- value)
    }

    /// The nearest Double, if one rounding is sufficient because both operands are exact (Clinger 1990, the fast path);
    /// otherwise nil.
    func exactDouble(negative: Bool) -> Double? {
      guard !overflowed, value <= 1 << 53, -22...22 ~= exponent else { return nil }
      let magnitude = Double(value)
      let scaled = exponent < 0 ? magnitude / powersOfTen[-exponent] : magnitude * powersOfTen[exponent]
      return negative ? -scaled : scaled
    }
  }
}

/// The powers of ten that a Double holds exactly.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
