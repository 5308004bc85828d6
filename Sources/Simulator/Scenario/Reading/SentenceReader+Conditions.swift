extension SentenceReader {
  /// What one way of a link does: at least one word of it.
  func conditions(at position: Int) -> (SlotValue, Int)? {
    var conditions = LinkConditions()
    var next = position
    while let end = condition(at: next, &conditions) { next = end }
    return next == position ? nil : (.conditions(conditions), next)
  }

  /// Takes in one thing that a link does; the position behind it, nil where nothing like that stands there.
  private func condition(at position: Int, _ conditions: inout LinkConditions) -> Int? {
    switch plain(position) {
    case "delay":
      guard let shortest = plain(position + 1).flatMap({ TimeSpan($0) })?.milliseconds else { return nil }
      guard plain(position + 2) == "to", let longest = plain(position + 3).flatMap({ TimeSpan($0) })?.milliseconds
      else {
        conditions.delay = shortest...shortest
        return position + 2
      }
      guard longest >= shortest else { return nil }
      conditions.delay = shortest...longest
      return position + 4
    case "lose": return share(at: position) { conditions.loss = $0 }
    case "repeat": return share(at: position) { conditions.duplication = $0 }
    case "reorder": conditions.isReordering = true
    case "cut": conditions.isCut = true
    case "clog": conditions.isClogged = true
    default: return nil
    }
    return position + 1
  }

  private func share(at position: Int, _ take: (Int) -> Void) -> Int? {
    guard let percent = plain(position + 1).flatMap(Self.percent) else { return nil }
    take(percent * 10)
    return position + 2
  }
}

extension LinkConditions {
  /// The words that read as this, shares being whole percents; empty for a link that works.
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
  /// The words behind `set the link of A`, each part with its comma.
  var sentence: String {
    let ways = [("up", up), ("down", down), ("push", push)].filter { $0.1 != LinkConditions() }
    return ways.map { ", \($0) \($1.sentence)" }.joined()
      + (toldLosses == Link().toldLosses ? "" : ", told of \(toldLosses / 10)%")
  }
}
