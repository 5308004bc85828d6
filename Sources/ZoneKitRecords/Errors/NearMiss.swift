/// Finds the known word that a misspelled word is closest to.
package enum NearMiss {
  /// The closest known word, if it is at most two edits and at most half of its length away; otherwise nil.
  package static func guess(for word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    return known.map { (distance: distance(word, $0), word: $0) }
      .filter { $0.distance <= 2 && $0.distance * 2 <= $0.word.count }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// The Levenshtein distance of two words: how many letters have to be changed, added or removed.
  package static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
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
