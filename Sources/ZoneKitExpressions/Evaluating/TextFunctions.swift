import ZoneKitRelations

/// Functions of texts.
enum TextFunctions {
  /// The result for values without null, of which the first one has that type.
  static func value(_ function: TypedFunction, _ values: [Datum], _ type: DatumType) throws(SQLFailure) -> Datum {
    if case .bytes(let bytes)? = values.first { return .integer(Int64(bytes.count)) }
    guard case .text(let text)? = values.first else { return .null }
    switch function {
    case .lower: return .text(text.simpleLowercase)
    case .upper: return .text(text.simpleUppercase)
    case .length:
      return .integer(Int64((type.isPadded ? text.withoutBlanksAtEnd : text).unicodeScalars.count))
    case .byteLength: return .integer(Int64(text.utf8.count))
    case .trimmed, .leftTrimmed, .rightTrimmed: return .text(trimmed(function, text, values))
    case .substring: return .text(try substring(text, numbers(values)))
    case .left, .right: return .text(end(function, text, numbers(values).first ?? 0))
    case .position: return .integer(position(of: texts(values)[1], in: text))
    case .replace:
      let texts = texts(values)
      return .text(texts[1].isEmpty ? text : pieces(of: text, around: texts[1]).joined(separator: texts[2]))
    case .splitPart: return .text(try part(of: text, around: texts(values)[1], numbers(values).first ?? 0))
    case .leftPadded, .rightPadded: return .text(try padded(function, text, values))
    case .repeated:
      let count = max(0, numbers(values).first ?? 0)
      guard count == 0 || Int64(text.utf8.count) <= lengthLimit / count else { throw tooLong }
      return .text(String(repeating: text, count: Int(count)))
    case .reversed: return .text(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
    case .hash: return .text(MD5.text(of: Array(text.utf8)))
    case .folderNames: return .array(path(text).dropLast().map { .text($0) })
    case .fileName: return .text(path(text).last ?? "")
    case .fileExtension:
      // As the storage does it: what is behind the last point of the name, or the name itself without one.
      return .text(pieces(of: path(text).last ?? "", around: ".").last ?? "")
    default: return .null
    }
  }

  /// The most bytes of a text that a function makes.
  private static let lengthLimit: Int64 = 1 << 28

  private static var tooLong: SQLFailure { SQLFailure(.programLimit, "requested length too large") }

  private static func padded(
    _ function: TypedFunction, _ text: String, _ values: [Datum]
  ) throws(SQLFailure) -> String {
    let wanted = max(0, numbers(values).first ?? 0)
    guard wanted <= lengthLimit else { throw tooLong }
    let own = text.unicodeScalars
    let texts = texts(values)
    let fill = Array((texts.count > 1 ? texts[1] : " ").unicodeScalars)
    guard own.count < wanted, !fill.isEmpty else { return String(String.UnicodeScalarView(own.prefix(Int(wanted)))) }
    let added = (0..<(Int(wanted) - own.count)).map { fill[$0 % fill.count] }
    let scalars: [Unicode.Scalar] = function == .leftPadded ? added + Array(own) : Array(own) + added
    return String(String.UnicodeScalarView(scalars))
  }

  private static func texts(_ values: [Datum]) -> [String] {
    values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  private static func numbers(_ values: [Datum]) -> [Int64] {
    values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
  }

  /// The texts of all values that are not null.
  static func concatenated(_ function: TypedFunction, _ values: [Datum], _ types: [DatumType]) -> Datum {
    let skipped = function == .concatenatedWith ? 1 : 0
    let texts = zip(values, types).dropFirst(skipped).filter { $0.0 != .null }.map { $1.text(of: $0) }
    guard skipped > 0 else { return .text(texts.joined()) }
    guard case .text(let separator) = values[0] else { return .null }
    return .text(texts.joined(separator: separator))
  }

  private static func trimmed(_ function: TypedFunction, _ text: String, _ values: [Datum]) -> String {
    let texts = texts(values)
    let cut = texts.count > 1 ? Set(texts[1].unicodeScalars) : [" "]
    var rest = text.unicodeScalars[...]
    if function != .rightTrimmed { rest = rest.drop { cut.contains($0) } }
    if function != .leftTrimmed {
      while let last = rest.last, cut.contains(last) { rest.removeLast() }
    }
    return String(String.UnicodeScalarView(rest))
  }

  private static func substring(_ text: String, _ numbers: [Int64]) throws(SQLFailure) -> String {
    let start = numbers[0]
    var end = Int64.max
    if numbers.count > 1 {
      if numbers[1] < 0 { throw SQLFailure(.invalidSubstring, "negative substring length not allowed") }
      end = start + numbers[1]
    }
    let first = max(1, start)
    guard end > first else { return "" }
    let rest = text.unicodeScalars.dropFirst(Int(first - 1))
    return String(String.UnicodeScalarView(end == .max ? rest : rest.prefix(Int(end - first))))
  }

  /// So many characters at one end; all but so many at the other end for a number below zero.
  private static func end(_ function: TypedFunction, _ text: String, _ number: Int64) -> String {
    let characters = text.unicodeScalars
    let count = Int(number.magnitude)
    let kept =
      switch (function == .left, number < 0) {
      case (true, false): characters.prefix(count)
      case (true, true): characters.dropLast(count)
      case (false, false): characters.suffix(count)
      case (false, true): characters.dropFirst(count)
      }
    return String(String.UnicodeScalarView(kept))
  }

  private static func position(of part: String, in text: String) -> Int64 {
    if part.isEmpty { return 1 }
    let pieces = pieces(of: text, around: part)
    return pieces.count > 1 ? Int64(pieces[0].unicodeScalars.count) + 1 : 0
  }

  /// The parts of a text between those that equal a mark, which is not empty.
  private static func pieces(of text: String, around mark: String) -> [String] {
    let (bytes, mark) = (Array(text.utf8), Array(mark.utf8))
    var pieces: [String] = []
    var (start, place) = (0, 0)
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
        pieces.append(String(decoding: bytes[start..<place], as: UTF8.self))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    return pieces + [String(decoding: bytes[start...], as: UTF8.self)]
  }

  /// The part at a place, which is counted from one, or from the end below zero.
  private static func part(of text: String, around mark: String, _ place: Int64) throws(SQLFailure) -> String {
    if place == 0 { throw SQLFailure(.invalidParameter, "field position must not be zero") }
    let pieces = mark.isEmpty ? [text] : pieces(of: text, around: mark)
    let index = place > 0 ? place - 1 : place + Int64(pieces.count)
    return index >= 0 && index < Int64(pieces.count) ? pieces[Int(index)] : ""
  }

  private static func path(_ text: String) -> [String] { pieces(of: text, around: "/") }
}
