/// The reference of the scenario language, made from the table of its sentences.
package struct LanguageReference: Hashable, Sendable {
  /// One sentence.
  package struct Entry: Hashable, Sendable {
    /// The shape: words stand for themselves, `a|b` for either, capitals for a slot, and `[ ]` for what may be left out.
    package let pattern: String
    /// What the sentence means, in one line.
    package let summary: String
    /// A line of that shape.
    package let example: String
    /// The names of the slots of the pattern, each once, in their order.
    package let slots: [String]
  }

  /// The sentences about one subject.
  package struct Section: Hashable, Sendable {
    /// The subject.
    package let title: String
    /// The sentences.
    package let entries: [Entry]
  }

  /// A place in a sentence where something of its own kind stands.
  package struct SlotEntry: Hashable, Sendable {
    /// How patterns write it.
    package let name: String
    /// What may stand there.
    package let summary: String
    /// The words that may stand there; empty where any of a kind may.
    package let values: [String]
  }

  /// The sentences by subject, in the order in which a line is compared with them.
  package let sections: [Section]
  /// The slots, by name.
  package let slots: [SlotEntry]

  /// The reference of the whole language.
  package init() {
    sections = Language.sections.map { section in
      Section(title: section.title, entries: section.sentences.map(Entry.init))
    }
    slots = Slot.allCases.map { SlotEntry(name: $0.name, summary: $0.summary, values: $0.known) }
      .sorted { $0.name < $1.name }
  }

  /// The reference as text for a terminal.
  package var text: String {
    let head = """
      A line is a sentence. Words stand for themselves, a|b for either, capitals for a value, and [ ] for what may be left
      out. A # starts a comment. Each sentence is followed by its meaning and an example.
      """
    let body = sections.map { section in
      ([section.title]
        + section.entries.flatMap { ["  \($0.pattern)", "      \($0.summary)", "      > \($0.example)"] })
        .joined(separator: "\n")
    }
    let values = slots.flatMap { slot in
      ["  \(slot.name)", "      \(slot.summary)"] + Self.wrapped(slot.values).map { "      \($0)" }
    }
    return ([head] + body + [(["Values"] + values).joined(separator: "\n")]).joined(separator: "\n\n")
  }

  /// The words with commas between them, on lines of at most 100 characters.
  private static func wrapped(_ words: [String]) -> [String] {
    var lines: [String] = []
    for (index, word) in words.enumerated() {
      let word = index + 1 == words.count ? word : word + ","
      if let last = lines.last, last.count + 1 + word.count <= 100 {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

extension LanguageReference.Entry {
  fileprivate init(_ sentence: Sentence) {
    pattern = sentence.pattern.text
    summary = sentence.summary
    example = sentence.example
    var names: [String] = []
    for slot in sentence.pattern.slots where !names.contains(slot.name) { names.append(slot.name) }
    slots = names
  }
}
