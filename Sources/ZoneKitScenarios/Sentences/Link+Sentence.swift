/// The conditions of a link as words of a sentence.
extension Link {
  /// The pattern for one direction: its word, and optional parts whose labels begin with that word.
  static func pattern(_ way: String) -> String {
    "[, \(way) [delay {\(way)Shortest:span} [to {\(way)Longest:span}]] [lose {\(way)Loss:percent}]"
      + " [repeat {\(way)Duplication:percent}] [{\(way)Reorder:reorder}] [{\(way)Cut:cut}] [{\(way)Clog:clog}]]"
  }

  /// The link with the conditions at those labels.
  init(_ values: SlotValues) {
    self.init()
    up = LinkConditions(values, "up")
    down = LinkConditions(values, "down")
    push = LinkConditions(values, "push")
    if let percent = values.optionalNumber("told") { toldLosses = percent * 10 }
  }
}

extension LinkConditions {
  fileprivate init(_ values: SlotValues, _ way: String) {
    self.init()
    if let one = values.optionalSpan(way + "Shortest")?.milliseconds {
      let other = values.optionalSpan(way + "Longest")?.milliseconds ?? one
      delay = min(one, other)...max(one, other)
    }
    loss = (values.optionalNumber(way + "Loss") ?? 0) * 10
    duplication = (values.optionalNumber(way + "Duplication") ?? 0) * 10
    isReordering = values.has(way + "Reorder")
    isCut = values.has(way + "Cut")
    isClogged = values.has(way + "Clog")
  }
}

extension LinkConditions {
  /// The text from which the parser makes this value, with whole percentages; empty for default conditions.
  var sentence: String {
    var words: [String] = []
    if delay != LinkConditions().delay {
      let shortest = TimeSpan(milliseconds: delay.lowerBound).text
      let longest = TimeSpan(milliseconds: delay.upperBound).text
      words.append("delay \(shortest)" + (shortest == longest ? "" : " to \(longest)"))
    }
    if loss > 0 { words.append("lose \(loss / 10)%") }
    if duplication > 0 { words.append("repeat \(duplication / 10)%") }
    if isReordering { words.append("reorder") }
    if isCut { words.append("cut") }
    if isClogged { words.append("clog") }
    return words.joined(separator: " ")
  }
}

extension Link {
  /// The text of all directions behind `set the link of A`, each part with a leading comma.
  var sentence: String {
    let ways = [("up", up), ("down", down), ("push", push)].filter { $0.1 != LinkConditions() }
    return ways.map { ", \($0) \($1.sentence)" }.joined()
      + (toldLosses == Link().toldLosses ? "" : ", told of \(toldLosses / 10)%")
  }
}
