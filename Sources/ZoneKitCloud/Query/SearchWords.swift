import ZoneKitRecords

/// The words of texts: sequences of letters and digits, in lower case (CloudKit Web Services, b.6: tokens).
struct SearchWords {
  private let words: Set<String>

  /// The words of those texts.
  init(_ texts: [String]) { words = Set(texts.flatMap { Self.words(of: $0) }) }

  /// Whether all of these words, or at least one of them, are there.
  func hold(_ wanted: [String], all: Bool) -> Bool {
    all ? wanted.allSatisfy { words.contains($0) } : wanted.contains { words.contains($0) }
  }

  /// The words of a text, in its order.
  static func words(of text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
  }
}
