/// Why a body cannot be carried out.
struct RoutineProblem: Error {
  /// What is not supported.
  let message: String

  init(_ message: String) { self.message = message }
}

/// Reads a PL/pgSQL body word by word.
struct RoutineReader {
  /// The words.
  let source: RoutineWords
  private(set) var place = 0
  private var depth = 0

  /// A reader at the beginning of that body.
  init(_ body: String) { source = RoutineWords(body) }

  /// The next word; nil at the end.
  var next: RoutineWords.Word? { place < source.words.count ? source.words[place] : nil }

  /// Goes on behind the next word.
  mutating func skip(_ count: Int = 1) { place += count }

  /// Whether the next words are those keywords or signs.
  func isNext(_ words: String...) -> Bool {
    for (offset, word) in words.enumerated() {
      guard place + offset < source.words.count else { return false }
      let found = source.words[place + offset]
      guard found.kind == .name || found.kind == .sign, found.text == word else { return false }
    }
    return true
  }

  /// Takes that word, if it is the next one.
  mutating func take(_ word: String) -> Bool {
    guard isNext(word) else { return false }
    place += 1
    return true
  }

  /// Takes that word, which is the next one.
  mutating func expect(_ word: String) throws(RoutineProblem) {
    guard take(word) else {
      throw RoutineProblem("expected \(word.uppercased()) before “\(next?.text ?? "the end")”")
    }
  }

  /// Nothing is left.
  func expectEnd() throws(RoutineProblem) {
    if let rest = next { throw RoutineProblem("“\(rest.text)” behind the end is not expected") }
  }

  /// A name.
  mutating func name(_ what: String) throws(RoutineProblem) -> String {
    guard let word = next, word.kind == .name || word.kind == .quotedName else {
      throw RoutineProblem("expected \(what) before “\(next?.text ?? "the end")”")
    }
    place += 1
    return word.text
  }

  /// Takes the words up to one of those, which is not within brackets, and returns their text; the word itself is left.
  mutating func text(upTo ends: [String]) throws(RoutineProblem) -> String {
    let start = place
    var depth = 0
    while let word = next {
      if word.kind == .name || word.kind == .sign {
        if depth == 0, ends.contains(word.text) { break }
        switch word.text {
        case "(", "[", "case": depth += 1
        case ")", "]": depth -= 1
        case "end" where depth > 0: depth -= 1
        case ";": throw RoutineProblem("expected \(ends[0].uppercased()) before “;”")
        default: break
        }
      }
      place += 1
    }
    guard next != nil else { throw RoutineProblem("expected \(ends[0].uppercased()) before the end") }
    return source.source(start..<place)
  }

  /// A block begins.
  mutating func enter() throws(RoutineProblem) {
    depth += 1
    guard depth < SchemaReader.depthLimit else { throw RoutineProblem("its blocks nest too deeply") }
  }

  /// A block ends.
  mutating func leave() { depth -= 1 }
}
