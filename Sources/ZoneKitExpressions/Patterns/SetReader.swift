import ZoneKitRelations

/// Reads the characters of a bracket of a regular expression.
struct SetReader {
  /// What is behind the part that was read.
  private(set) var rest: ArraySlice<Unicode.Scalar>

  /// A reader of what is behind the opening bracket.
  init(_ rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

  /// The set up to the closing bracket.
  mutating func set() throws(SQLFailure) -> CharacterSet {
    var set = CharacterSet()
    if rest.first == "^" {
      rest.removeFirst()
      set.isNegated = true
    }
    var isFirst = true
    while let character = rest.popFirst() {
      if character == "]", !isFirst { return set }
      isFirst = false
      try add(character, to: &set)
    }
    throw PatternReader.invalid("brackets [] not balanced")
  }

  private mutating func add(_ character: Unicode.Scalar, to set: inout CharacterSet) throws(SQLFailure) {
    if character == "[", let mark = rest.first, mark == ":" || mark == "." || mark == "=" {
      rest.removeFirst()
      set.groups.append((try group(mark), false))
      return
    }
    guard let first = try single(character, &set) else { return }
    guard rest.first == "-", let end = rest.dropFirst().first, end != "]" else {
      set.ranges.append(first.value...first.value)
      return
    }
    rest.removeFirst(2)
    if end == "[" { throw PatternReader.refused("a range up to [") }
    var other = CharacterSet()
    guard let last = try single(end, &other), first.value <= last.value else {
      throw PatternReader.invalid("invalid character range")
    }
    set.ranges.append(first.value...last.value)
  }

  /// The character that is written; nil if it is a group, which is added to the set.
  private mutating func single(
    _ character: Unicode.Scalar, _ set: inout CharacterSet
  ) throws(SQLFailure) -> Unicode.Scalar? {
    guard character == "\\" else { return character }
    guard let escaped = rest.popFirst() else { throw PatternReader.invalid("invalid escape \\ sequence") }
    let known = try Self.escaped(escaped)
    if let range = known.ranges.first { return Unicode.Scalar(range.lowerBound) }
    set.groups += known.groups
    return nil
  }

  private mutating func group(_ mark: Unicode.Scalar) throws(SQLFailure) -> CharacterSet.Group {
    guard mark == ":" else { throw PatternReader.refused("[\(mark)") }
    let name = rest.prefix { $0 != ":" }
    rest = rest.dropFirst(name.count)
    guard rest.popFirst() == ":", rest.popFirst() == "]" else {
      throw PatternReader.invalid("brackets [] not balanced")
    }
    guard let group = CharacterSet.Group(rawValue: String(String.UnicodeScalarView(name))) else {
      throw PatternReader.invalid("invalid character class")
    }
    return group
  }

  /// The characters that a backslash and another character stand for.
  static func escaped(_ character: Unicode.Scalar) throws(SQLFailure) -> CharacterSet {
    switch character {
    case "d": return CharacterSet(groups: [(.digit, false)])
    case "D": return CharacterSet(groups: [(.digit, true)])
    case "s": return CharacterSet(groups: [(.space, false)])
    case "S": return CharacterSet(groups: [(.space, true)])
    case "w": return CharacterSet(groups: [(.word, false)])
    case "W": return CharacterSet(groups: [(.word, true)])
    case "n": return .one("\n")
    case "r": return .one("\r")
    case "t": return .one("\t")
    case "f": return .one("\u{C}")
    case "v": return .one("\u{B}")
    case "a"..."z", "A"..."Z", "0"..."9": throw PatternReader.refused("\\\(character)")
    default: return .one(character)
    }
  }
}
