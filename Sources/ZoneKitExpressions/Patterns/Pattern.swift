import ZoneKitRelations

/// A regular expression as it is written.
indirect enum Pattern {
  /// One character of a set.
  case character(CharacterSet)
  /// A check of the place.
  case check(RegularExpression.Assertion)
  /// One pattern behind the other.
  case sequence([Pattern])
  /// One of several patterns.
  case choice([Pattern])
  /// A pattern so many times; any number from the first on for nil.
  case repeated(Pattern, Int, Int?)
}

/// The program that follows all ways in which a pattern can fit.
struct PatternProgram {
  private var steps: [RegularExpression.Step] = []
  private var work = 0

  /// The most parts, with those that are repeated, and so the longest program. Each character of a text can cost as many steps.
  private static let limit = 5_000

  /// The steps of a pattern. Throws where they are too many.
  static func steps(of pattern: Pattern) throws(SQLFailure) -> [RegularExpression.Step] {
    var program = PatternProgram()
    try program.add(pattern)
    program.steps.append(.success)
    return program.steps
  }

  private mutating func add(_ pattern: Pattern) throws(SQLFailure) {
    // Empty parts add no steps, however often they are repeated.
    work += 1
    guard work < Self.limit else {
      throw SQLFailure(.notSupported, "a regular expression of this size is not supported")
    }
    switch pattern {
    case .character(let set): steps.append(.character(set))
    case .check(let assertion): steps.append(.check(assertion))
    case .sequence(let parts): for part in parts { try add(part) }
    case .choice(let parts): try add(choiceOf: parts)
    case .repeated(let part, let least, let most): try add(part, least, most)
    }
  }

  private mutating func add(choiceOf parts: [Pattern]) throws(SQLFailure) {
    var ends: [Int] = []
    for part in parts.dropLast() {
      let split = steps.count
      steps.append(.jump(0))
      try add(part)
      ends.append(steps.count)
      steps.append(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    if let last = parts.last { try add(last) }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private mutating func add(_ part: Pattern, _ least: Int, _ most: Int?) throws(SQLFailure) {
    for _ in 0..<least { try add(part) }
    guard let most else {
      let split = steps.count
      steps.append(.jump(0))
      try add(part)
      steps.append(.jump(split))
      steps[split] = .split(split + 1, steps.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(least, most) {
      splits.append(steps.count)
      steps.append(.jump(0))
      try add(part)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }
}
