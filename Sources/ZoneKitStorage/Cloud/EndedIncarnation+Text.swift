import ZoneKitCloud
import ZoneKitRecords

/// The text of earlier incarnations in a zone file: five words for each, the incarnation in hexadecimal digits, the number
/// of purges, how it ended, when, and the zone's sequence then.
extension EndedIncarnation {
  /// The text of that list.
  static func text(of list: [EndedIncarnation]) -> String {
    list.map {
      "\(String($0.incarnation, radix: 16)) \($0.purges) \($0.end.rawValue) \($0.at.milliseconds) \($0.sequence)"
    }.joined(separator: "\n")
  }

  /// The list with that text. A line that a newer version wrote is left out.
  static func list(of text: String) -> [EndedIncarnation] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 5, let incarnation = UInt64(words[0], radix: 16), let purges = Int64(words[1]),
        let end = End(rawValue: String(words[2])), let at = Int64(words[3]),
        let sequence = Int64(words[4])
      else { return nil }
      return EndedIncarnation(
        incarnation: incarnation, purges: purges, end: end, at: WallTime(milliseconds: at), sequence: sequence)
    }
  }
}
