import ZoneKitRelations

/// Reads an advanced regular expression of PostgreSQL (PostgreSQL 15, 9.7.3). References to groups, looks ahead and behind, and
/// options inside of the pattern are refused.
struct PatternReader {
  private let characters: [Unicode.Scalar]
  private var place = 0
  private var depth = 0

  /// The deepest nesting of groups.
  private static let depthLimit = 32
  /// The most times that a part is repeated.
  private static let repetitionLimit = 255

  /// A reader of that pattern.
  init(_ text: String) { characters = Array(text.unicodeScalars) }

  /// The whole pattern.
  mutating func pattern() throws(SQLFailure) -> Pattern {
    if characters.starts(with: "***".unicodeScalars) { throw Self.refused("***") }
    let pattern = try choice()
    guard place == characters.count else { throw Self.invalid("parentheses () not balanced") }
    return pattern
  }

  /// A pattern that PostgreSQL refuses as well.
  static func invalid(_ reason: String) -> SQLFailure {
    SQLFailure(.invalidPattern, "invalid regular expression: \(reason)")
  }

  /// A part of a pattern that is not supported.
  static func refused(_ part: String) -> SQLFailure {
    SQLFailure(.notSupported, "\(part) in a regular expression is not supported")
  }

  private var next: Unicode.Scalar? { place < characters.count ? characters[place] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == character else { return false }
    place += 1
    return true
  }

  private mutating func choice() throws(SQLFailure) -> Pattern {
    var parts = [try sequence()]
    while skip("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(SQLFailure) -> Pattern {
    var parts: [Pattern] = []
    while let character = next, character != "|", character != ")" || depth == 0 {
      let atom = try self.atom(character)
      parts.append(try repeated(atom))
    }
    return .sequence(parts)
  }

  private mutating func atom(_ character: Unicode.Scalar) throws(SQLFailure) -> Pattern {
    place += 1
    switch character {
    case "(": return try group()
    case ")": throw Self.invalid("parentheses () not balanced")
    case "[":
      var reader = SetReader(characters[place...])
      let set = try reader.set()
      place = reader.rest.startIndex
      return .character(set)
    case ".": return .character(.any)
    case "^": return .check(.start)
    case "$": return .check(.end)
    case "*", "+", "?": throw Self.invalid("quantifier operand invalid")
    case "{" where next.map { ("0"..."9").contains($0) } ?? false: throw Self.invalid("quantifier operand invalid")
    case "\\": return try escape()
    default: return .character(.one(character))
    }
  }

  private mutating func group() throws(SQLFailure) -> Pattern {
    guard depth < Self.depthLimit else { throw Self.refused("a nesting of this depth") }
    if skip("?") {
      guard skip(":") else { throw Self.refused("(?\(next.map { String($0) } ?? "")") }
    }
    depth += 1
    let pattern = try choice()
    depth -= 1
    guard skip(")") else { throw Self.invalid("parentheses () not balanced") }
    return pattern
  }

  private mutating func escape() throws(SQLFailure) -> Pattern {
    guard let character = next else { throw Self.invalid("invalid escape \\ sequence") }
    place += 1
    switch character {
    case "A": return .check(.start)
    case "Z": return .check(.end)
    case "m": return .check(.wordStart)
    case "M": return .check(.wordEnd)
    case "y": return .check(.wordEdge)
    case "Y": return .check(.noWordEdge)
    case "1"..."9": throw Self.refused("a reference to a group")
    default: return .character(try SetReader.escaped(character))
    }
  }

  /// A part with the quantifier behind it. How much it takes first makes no difference here.
  private mutating func repeated(_ part: Pattern) throws(SQLFailure) -> Pattern {
    let bounds: (Int, Int?)
    switch next {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{" where place + 1 < characters.count && ("0"..."9").contains(characters[place + 1]):
      place += 1
      bounds = try self.bounds()
      guard next == "}" else { throw Self.invalid("invalid repetition count(s)") }
    default: return part
    }
    place += 1
    if case .check = part { throw Self.refused("a quantifier behind ^, $ or another check") }
    _ = skip("?")
    if next == "*" || next == "+" || next == "?" { throw Self.invalid("quantifier operand invalid") }
    return .repeated(part, bounds.0, bounds.1)
  }

  private mutating func bounds() throws(SQLFailure) -> (Int, Int?) {
    let least = try number()
    guard skip(",") else { return (least, least) }
    if next == "}" { return (least, nil) }
    let most = try number()
    guard least <= most else { throw Self.invalid("invalid repetition count(s)") }
    return (least, most)
  }

  private mutating func number() throws(SQLFailure) -> Int {
    var number = 0
    let start = place
    while let digit = next, ("0"..."9").contains(digit), number <= Self.repetitionLimit {
      number = 10 * number + Int(digit.value - 0x30)
      place += 1
    }
    guard place > start, number <= Self.repetitionLimit else { throw Self.invalid("invalid repetition count(s)") }
    return number
  }
}
