import ZoneKitRecords

/// Suggests a known word for an unknown one.
enum Suggestion {
  /// `; did you mean X?` if a known word is at most two edits away; otherwise empty.
  static func text(for word: String, among known: [String]) -> String {
    let ranked = known.map { (NearMiss.distance(word, $0), $0) }.filter { $0.0 <= 2 }.sorted { $0 < $1 }
    return ranked.first.map { "; did you mean \($0.1)?" } ?? ""
  }
}
