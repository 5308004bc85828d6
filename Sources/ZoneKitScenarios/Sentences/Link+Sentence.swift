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

extension Link {
  /// The values of the conditions that are not the defaults, with whole percentages.
  var values: SlotValues {
    up.values("up") + down.values("down") + push.values("push")
      + ["told": toldLosses == Link().toldLosses ? nil : .number(toldLosses / 10)]
  }
}

extension LinkConditions {
  fileprivate func values(_ way: String) -> SlotValues {
    let (shortest, longest) = (TimeSpan(milliseconds: delay.lowerBound), TimeSpan(milliseconds: delay.upperBound))
    let isDelayed = delay != LinkConditions().delay
    return [
      way + "Shortest": isDelayed ? .span(shortest) : nil,
      way + "Longest": isDelayed && shortest != longest ? .span(longest) : nil,
      way + "Loss": loss == 0 ? nil : .number(loss / 10),
      way + "Duplication": duplication == 0 ? nil : .number(duplication / 10),
      way + "Reorder": .flag(isReordering), way + "Cut": .flag(isCut), way + "Clog": .flag(isClogged),
    ]
  }
}
