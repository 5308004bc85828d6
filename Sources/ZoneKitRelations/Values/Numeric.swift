/// A decimal number of any size, as PostgreSQL's `numeric`: digits with a scale, or no number, or infinite.
package struct Numeric: Sendable {
  /// What the number is.
  enum Kind: Int, Sendable {
    case negativeInfinity
    case finite
    case infinity
    case nan
  }

  let kind: Kind
  /// Whether the number is below zero.
  package let isNegative: Bool
  /// The decimal digits, the greatest place first, without zeros at the beginning; none for zero.
  let digits: [UInt8]
  /// How many of the digits are behind the point; zero or more.
  package let scale: Int

  /// A finite number. Zeros at the beginning are left out.
  init(isNegative: Bool, digits: some Sequence<UInt8>, scale: Int) {
    kind = .finite
    self.digits = Array(digits.drop { $0 == 0 })
    self.isNegative = isNegative && !self.digits.isEmpty
    self.scale = scale
  }

  private init(_ kind: Kind) {
    (self.kind, isNegative, digits, scale) = (kind, kind == .negativeInfinity, [], 0)
  }

  /// An integer.
  package init(_ number: Int64) {
    self.init(isNegative: number < 0, digits: "\(number.magnitude)".utf8.map { $0 - UInt8(ascii: "0") }, scale: 0)
  }

  /// Not a number, which counts as greater than all numbers.
  package static let nan = Numeric(.nan)
  /// Greater than all finite numbers.
  package static let infinity = Numeric(.infinity)
  /// Less than all finite numbers.
  package static let negativeInfinity = Numeric(.negativeInfinity)
  /// Zero.
  package static let zero = Numeric(0)

  /// The most digits before the point (PostgreSQL 15, 8.1.2).
  static let integerDigitLimit = 131_072
  /// The most digits behind the point.
  package static let scaleLimit = 16_383

  /// Whether it is a finite number.
  package var isFinite: Bool { kind == .finite }

  /// Whether it is zero.
  package var isZero: Bool { kind == .finite && digits.isEmpty }

  /// Whether it has no digits but zeros behind the point.
  var isInteger: Bool { kind == .finite && digits.suffix(scale).allSatisfy { $0 == 0 } }

  /// The number with the other sign.
  package var negated: Numeric {
    switch kind {
    case .finite: Numeric(isNegative: !isNegative, digits: digits, scale: scale)
    case .infinity: .negativeInfinity
    case .negativeInfinity: .infinity
    case .nan: .nan
    }
  }
}

extension Numeric: Comparable, Hashable {
  /// Whether both are the same number. Scales do not count.
  package static func == (first: Numeric, second: Numeric) -> Bool {
    guard first.kind == .finite, second.kind == .finite else { return first.kind == second.kind }
    let (own, other) = (first.normalized, second.normalized)
    return (own.isNegative, own.scale) == (other.isNegative, other.scale) && own.digits == other.digits
  }

  /// Orders numbers by their values; no number is the greatest.
  package static func < (first: Numeric, second: Numeric) -> Bool {
    guard first.kind == .finite, second.kind == .finite else { return first.kind.rawValue < second.kind.rawValue }
    guard first.isNegative == second.isNegative else { return first.isNegative }
    let scale = max(first.scale, second.scale)
    let (own, other) = (first.digits(atScale: scale), second.digits(atScale: scale))
    let isLess = own.count == other.count ? own.lexicographicallyPrecedes(other) : own.count < other.count
    return own != other && isLess != first.isNegative
  }

  /// Hashes the number without its scale.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    let normal = normalized
    hasher.combine(normal.isNegative)
    hasher.combine(normal.digits)
    hasher.combine(normal.scale)
  }

  /// The same number without zeros at the end behind the point.
  var normalized: Numeric {
    let zeros = min(scale, digits.reversed().prefix { $0 == 0 }.count)
    guard !digits.isEmpty else { return kind == .finite ? .zero : self }
    return zeros == 0 ? self : Numeric(isNegative: isNegative, digits: digits.dropLast(zeros), scale: scale - zeros)
  }

  /// The digits of the number at a scale that is not smaller than its own.
  func digits(atScale wanted: Int) -> [UInt8] {
    digits.isEmpty ? [] : digits + Array(repeating: 0, count: wanted - scale)
  }
}

// MARK: Texts

extension Numeric {
  /// Reads a number as PostgreSQL does: digits with a point and an exponent, `NaN`, `Infinity`. Nil for another text, and for
  /// a number with too many digits.
  package init?(_ text: String) {
    var rest = Substring(text).utf8.trimmed()
    var isNegative = false
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    switch String(decoding: rest, as: UTF8.self).lowercased() {
    // Without a sign.
    case "nan" where text.trimmed.utf8.count == 3: self = .nan
    case "infinity", "inf": self = isNegative ? .negativeInfinity : .infinity
    default:
      guard let finite = Numeric(isNegative: isNegative, unsigned: rest) else { return nil }
      self = finite
    }
  }

  private init?(isNegative: Bool, unsigned text: Substring.UTF8View) {
    let zero = UInt8(ascii: "0")
    let whole = text.prefix { (zero...zero + 9).contains($0) }
    var rest = text[whole.endIndex...]
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix { (zero...zero + 9).contains($0) }
      rest = rest[fraction.endIndex...]
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = 0
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      let written = String(decoding: rest.dropFirst(), as: UTF8.self)
      guard let read = Int(written), read.magnitude <= Self.integerDigitLimit else { return nil }
      (exponent, rest) = (read, rest.suffix(0))
    }
    guard rest.isEmpty else { return nil }
    var digits = (Array(whole) + Array(fraction)).map { $0 - zero }
    var scale = fraction.count - exponent
    if scale < 0 {
      digits += Array(repeating: 0, count: -scale)
      scale = 0
    }
    let number = Numeric(isNegative: isNegative, digits: digits, scale: scale)
    guard number.digits.count - scale <= Self.integerDigitLimit, scale <= Self.scaleLimit else { return nil }
    self = number
  }

  /// The number with all digits of its scale.
  package var text: String {
    switch kind {
    case .nan: return "NaN"
    case .infinity: return "Infinity"
    case .negativeInfinity: return "-Infinity"
    case .finite: break
    }
    var bytes: [UInt8] = []
    bytes.append(self)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a finite number with all digits of its scale.
  mutating func append(_ number: Numeric) {
    if number.isNegative { append(UInt8(ascii: "-")) }
    let missing = Swift.max(0, number.scale + 1 - number.digits.count)
    let whole = missing + number.digits.count - number.scale
    for place in 0..<(missing + number.digits.count) {
      if place == whole { append(UInt8(ascii: ".")) }
      append(UInt8(ascii: "0") + (place < missing ? 0 : number.digits[place - missing]))
    }
  }
}

extension Substring.UTF8View {
  /// The text without blanks at both ends, as PostgreSQL leaves them out.
  func trimmed() -> Substring.UTF8View {
    let rest = drop { $0.isSpace }
    return rest.prefix(rest.count - rest.reversed().prefix { $0.isSpace }.count)
  }
}

extension String.UTF8View {
  /// The text without blanks at both ends.
  func trimmed() -> Substring.UTF8View { self[...].trimmed() }
}

extension String {
  /// The text without blanks at both ends.
  var trimmed: String { String(decoding: utf8.trimmed(), as: UTF8.self) }
}

extension UInt8 {
  /// Whether the byte is a blank in the C locale.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
