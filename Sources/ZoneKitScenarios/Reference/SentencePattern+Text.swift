extension SentencePattern {
  /// The text of the pattern in the reference: slots by name, choices with `|`, optional parts in brackets.
  var text: String { Self.text(of: parts) }

  /// The slots of the pattern, in order.
  var slots: [Slot] { Self.slots(of: parts) }

  private static func text(of parts: [Part]) -> String {
    var text = ""
    for part in parts {
      let piece =
        switch part {
        case .words(let words), .choice(_, let words): words.joined(separator: "|")
        case .slot(_, let slot): slot.name
        case .option(let inner): "[\(Self.text(of: inner))]"
        }
      text += text.isEmpty || piece == "," ? piece : " \(piece)"
    }
    return text
  }

  private static func slots(of parts: [Part]) -> [Slot] {
    parts.flatMap { part in
      switch part {
      case .words, .choice: [Slot]()
      case .slot(_, let slot): [slot]
      case .option(let inner): slots(of: inner)
      }
    }
  }
}
