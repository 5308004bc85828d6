/// The reference of the scenario language, generated from the table of its sentences.
package struct LanguageReference: Hashable, Sendable {
  /// The entry of one sentence.
  package struct Entry: Hashable, Sendable {
    /// The pattern: words stand for themselves, `a|b` for one of several words, capitals for a slot, and `[ ]` encloses
    /// an optional part.
    package let pattern: String
    /// What the sentence means, in one line.
    package let summary: String
    /// An example of such a line.
    package let example: String
    /// The names of the slots in the pattern, in order and without repetitions.
    package let slots: [String]
  }

  /// The sentences about one topic.
  package struct Section: Hashable, Sendable {
    /// The topic.
    package let title: String
    /// The sentences.
    package let entries: [Entry]
  }

  /// The entry of a kind of slot.
  package struct SlotEntry: Hashable, Sendable {
    /// The name of the slot in patterns.
    package let name: String
    /// A description of its values.
    package let summary: String
    /// The allowed words; empty if the values are not a fixed set.
    package let values: [String]
  }

  /// The sentences by topic, in the order in which a line is compared with them.
  package let sections: [Section]
  /// The slots, in the order of their names.
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

  /// The words separated by commas, on lines of at most 100 characters.
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
