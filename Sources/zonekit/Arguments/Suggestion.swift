/// Says what somebody may have meant by a word that is not known.
enum Suggestion {
  /// `; did you mean X?` where a known word is at most two edits away, else nothing.
  static func text(for word: String, among known: [String]) -> String {
    let ranked = known.map { (distance(Array(word), Array($0)), $0) }.filter { $0.0 <= 2 }.sorted { $0 < $1 }
    return ranked.first.map { "; did you mean \($0.1)?" } ?? ""
  }

  /// Levenshtein's distance, a row at a time.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var row = Array(0...second.count)
    for (i, left) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in second.enumerated() {
        let substituted = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
