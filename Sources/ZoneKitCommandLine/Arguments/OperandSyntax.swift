/// The operands of a verb as its help writes them: sequences of placeholders, of which ` | ` separates alternatives. A place
/// in brackets may be left out, and one that ends in `...` repeats.
struct OperandSyntax {
  private struct Place {
    let kind: ValueKind
    let isRepeated: Bool

    /// Whether an operand may stand here. Any text may, except where only words are offered.
    func takes(_ operand: String) -> Bool {
      let isOpen = kind.words.isEmpty || kind.paths != .none || !kind.names.isEmpty
      return isOpen || kind.words.contains(operand)
    }
  }

  private let alternatives: [[Place]]

  /// Reads the text of a help.
  init(_ text: String, meanings: [String: ValueKind]) {
    alternatives = Self.alternatives(text).map { words in
      words.map { word in
        let isRepeated = word.contains("...")
        let plain = word.filter { $0 != "[" && $0 != "]" }
        let placeholder = isRepeated ? String(plain.dropLast(3)) : plain
        return Place(kind: ValueKind(placeholder: placeholder, meanings: meanings), isRepeated: isRepeated)
      }
    }
  }

  /// The words of each alternative.
  private static func alternatives(_ text: String) -> [[String]] {
    text.split(separator: " ").map(String.init).filter { $0 != "--" }.split(
      separator: "|", omittingEmptySubsequences: true
    ).map(Array.init)
  }

  /// What may follow those operands, one kind for each alternative that has room for it.
  func kinds(after operands: [String]) -> [ValueKind] {
    alternatives.compactMap { places in
      func place(_ index: Int) -> Place? {
        index < places.count ? places[index] : places.last.flatMap { $0.isRepeated ? $0 : nil }
      }
      guard operands.indices.allSatisfy({ place($0)?.takes(operands[$0]) ?? false }) else { return nil }
      return place(operands.count)?.kind
    }
  }
}
