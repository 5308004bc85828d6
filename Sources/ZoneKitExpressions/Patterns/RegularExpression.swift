import ZoneKitRelations

/// A regular expression of PostgreSQL, for the question whether a text has a part that fits.
///
/// All ways to fit are followed at once, character by character, so that the time is bounded by the length of the text
/// times that of the pattern.
struct RegularExpression {
  /// A step of the program that a pattern becomes.
  enum Step {
    /// A character of a set is passed.
    case character(CharacterSet)
    /// The program goes on at both places.
    case split(Int, Int)
    /// The program goes on there.
    case jump(Int)
    /// The place in the text is checked.
    case check(Assertion)
    /// The pattern fits.
    case success
  }

  /// What a place in a text can be.
  enum Assertion {
    case start, end, wordStart, wordEnd, wordEdge, noWordEdge
  }

  private let program: [Step]
  private let isAnyCase: Bool

  /// Reads a pattern. Throws where it is none, or where it has a part that is not supported.
  init(_ pattern: String, isAnyCase: Bool = false) throws(SQLFailure) {
    var reader = PatternReader(pattern)
    program = try PatternProgram.steps(of: reader.pattern())
    self.isAnyCase = isAnyCase
  }

  /// Whether a part of the text fits.
  func matches(_ text: String) -> Bool {
    let characters = Array(text.unicodeScalars)
    var states = States(program.count)
    for place in 0...characters.count {
      if follow(0, at: place, of: characters, into: &states) { return true }
      guard place < characters.count else { return false }
      var next = States(program.count)
      for state in states.list {
        guard case .character(let set) = program[state], set.contains(characters[place], isAnyCase: isAnyCase) else {
          continue
        }
        if follow(state + 1, at: place + 1, of: characters, into: &next) { return true }
      }
      states = next
    }
    return false
  }

  /// Steps of the program that are reached at one place of the text.
  private struct States {
    private(set) var list: [Int] = []
    private var isReached: [Bool]

    init(_ count: Int) { isReached = Array(repeating: false, count: count) }

    mutating func insert(_ step: Int) -> Bool {
      guard !isReached[step] else { return false }
      isReached[step] = true
      list.append(step)
      return true
    }
  }

  /// Adds the steps that are reached from one without passing a character. Returns whether the pattern fits.
  private func follow(
    _ first: Int, at place: Int, of characters: [Unicode.Scalar], into states: inout States
  ) -> Bool {
    var waiting = [first]
    while let step = waiting.popLast() {
      guard states.insert(step) else { continue }
      switch program[step] {
      case .character: break
      case .split(let one, let other): waiting += [other, one]
      case .jump(let target): waiting.append(target)
      case .check(let assertion): if Self.holds(assertion, at: place, of: characters) { waiting.append(step + 1) }
      case .success: return true
      }
    }
    return false
  }

  private static func holds(_ assertion: Assertion, at place: Int, of characters: [Unicode.Scalar]) -> Bool {
    let isBefore = place > 0 && CharacterSet.isWord(characters[place - 1])
    let isBehind = place < characters.count && CharacterSet.isWord(characters[place])
    return switch assertion {
    case .start: place == 0
    case .end: place == characters.count
    case .wordStart: !isBefore && isBehind
    case .wordEnd: isBefore && !isBehind
    case .wordEdge: isBefore != isBehind
    case .noWordEdge: isBefore == isBehind
    }
  }
}
