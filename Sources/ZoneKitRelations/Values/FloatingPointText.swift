/// Floating-point numbers as PostgreSQL 15 writes and reads them.
enum FloatingPointText {
  /// The shortest text that is read back as the same number: without an exponent up to 15 digits before the point, or 6 for
  /// a number of 32 bits, and from 0.0001 on.
  static func text(_ number: Double, isSingle: Bool) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number == 0 { return number.sign == .minus ? "-0" : "0" }
    let (digits, exponent) = parts(isSingle ? "\(Float(number).magnitude)" : "\(number.magnitude)")
    let sign = number < 0 ? "-" : ""
    guard (-4..<(isSingle ? 6 : 15)).contains(exponent) else {
      let rest = digits.dropFirst()
      let magnitude = exponent.magnitude
      return sign + digits.prefix(1) + (rest.isEmpty ? "" : "." + rest) + (exponent < 0 ? "e-" : "e+")
        + (magnitude < 10 ? "0\(magnitude)" : "\(magnitude)")
    }
    if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
    guard digits.count > exponent + 1 else {
      return sign + digits + String(repeating: "0", count: exponent + 1 - digits.count)
    }
    return sign + digits.prefix(exponent + 1) + "." + digits.dropFirst(exponent + 1)
  }

  /// The digits that count, and the power of ten of the first one, of a positive number as Swift writes it.
  private static func parts(_ text: String) -> (digits: String, exponent: Int) {
    let halves = text.split(separator: "e")
    let written = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    let (whole, fraction) = (written[0], written.count > 1 ? written[1] : "")
    var exponent = (halves.count > 1 ? Int(halves[1]) ?? 0 : 0) + whole.count - 1
    let all = String(whole + fraction)
    let zeros = all.prefix { $0 == "0" }.count
    exponent -= zeros
    let digits = all.dropFirst(zeros)
    return (String(digits.prefix(digits.count - digits.reversed().prefix { $0 == "0" }.count)), exponent)
  }

  /// Reads a number. Throws where the text is none, or where the number is beyond the type's range.
  static func number(_ text: String, isSingle: Bool) throws(SQLFailure) -> Double {
    let type = isSingle ? "real" : "double precision"
    let word = text.trimmed
    switch word.lowercased() {
    case "nan": return .nan
    case "infinity", "+infinity", "inf", "+inf": return .infinity
    case "-infinity", "-inf": return -.infinity
    default: break
    }
    guard let exact = Numeric(word), exact.isFinite else {
      guard isDecimal(word) else {
        throw SQLFailure(.invalidText, "invalid input syntax for type \(type): \"\(text)\"")
      }
      throw SQLFailure(.numberOutOfRange, "\"\(word)\" is out of range for type \(type)")
    }
    let number = isSingle ? Float(word).map { Double($0) } : Double(word)
    guard let number, number.isFinite, number != 0 || exact.isZero else {
      throw SQLFailure(.numberOutOfRange, "\"\(word)\" is out of range for type \(type)")
    }
    return number
  }

  /// Whether a text that is no `Numeric` is a number all the same, with an exponent that is too large.
  private static func isDecimal(_ word: String) -> Bool {
    guard let letter = word.utf8.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return false }
    let exponent = word[word.utf8.index(after: letter)...].utf8
    let digits = exponent.dropFirst(exponent.first == UInt8(ascii: "-") || exponent.first == UInt8(ascii: "+") ? 1 : 0)
    return Numeric(String(word[..<letter])) != nil && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
