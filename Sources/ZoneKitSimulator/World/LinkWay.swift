import ZoneKitTimeline
import ZoneKitScenarios
import ZoneKitRecords

/// One direction of a device's link.
struct LinkWay: Hashable {
  enum Direction: Hashable {
    case up
    case down
    case push
  }

  var device: Int
  var direction: Direction
}

/// A message that waits at a clogged link, with its arrow in the trace.
struct Clogged {
  var way: LinkWay
  var work: World.Work
  var arrow: Arrow
  var sentAt: MonotonicTime
}

extension World {
  /// What happens to a message on a link.
  enum Passage {
    case arrives([MonotonicTime])
    case waits
    /// Whether the sender notices the loss.
    case lost(isTold: Bool)
  }

  /// Sends a message over a link. Returns nil unless it was lost; otherwise whether the sender notices.
  mutating func send(_ work: Work, over way: LinkWay, as arrow: (Arrow.Fate) -> Arrow) -> Bool? {
    switch passage(over: way) {
    case .arrives(let times):
      for (index, time) in times.enumerated() {
        trace.add(TraceEvent(at: now, .arrow(arrow(.arrives(time)))))
        queue.add(index == 0 ? work : repeated(work), at: time)
      }
      return nil
    case .waits:
      clogged.append(Clogged(way: way, work: work, arrow: arrow(.arrives(now)), sentAt: now))
      return nil
    case .lost(let isTold):
      trace.add(TraceEvent(at: now, .arrow(arrow(.dies(now, "lost")))))
      return isTold
    }
  }

  private func repeated(_ work: Work) -> Work {
    switch work {
    case .request(var visit):
      visit.isRepeat = true
      return .request(visit)
    case .tables(.ask(var visit)):
      visit.isRepeat = true
      return .tables(.ask(visit))
    default: return work
    }
  }

  /// Changes the conditions of a device's link; equal ones change nothing. Messages that waited at a clogged direction are sent if it no longer
  /// is.
  package mutating func setLink(_ device: Int, _ link: Link) {
    guard links[device] != link else { return }
    links[device] = link
    note(.device(device), .link, link.words)
    unclog()
  }

  /// Sends the messages that waited at links that are no longer clogged.
  private mutating func unclog() {
    let waiting = clogged
    clogged = []
    for item in waiting {
      guard !conditions(of: item.way).isClogged else {
        clogged.append(item)
        continue
      }
      var arrow = item.arrow
      let due = now.advanced(byMilliseconds: draw(conditions(of: item.way).delay))
      arrow.fate = .arrives(due)
      trace.add(TraceEvent(at: item.sentAt, .arrow(arrow)))
      queue.add(item.work, at: ordered(due, on: item.way))
    }
  }

  func conditions(of way: LinkWay) -> LinkConditions {
    switch way.direction {
    case .up: links[way.device].up
    case .down: links[way.device].down
    case .push: links[way.device].push
    }
  }

  private mutating func passage(over way: LinkWay) -> Passage {
    let conditions = conditions(of: way)
    if conditions.isClogged { return .waits }
    if conditions.isCut { return .lost(isTold: false) }
    if happens(conditions.loss) { return .lost(isTold: happens(links[way.device].toldLosses)) }
    let due = now.advanced(byMilliseconds: draw(conditions.delay))
    var times = [conditions.isReordering ? due : ordered(due, on: way)]
    if happens(conditions.duplication) {
      times.append(times[0].advanced(byMilliseconds: draw(conditions.delay)))
    }
    return .arrives(times)
  }

  /// The arrival time, but not before what was sent earlier.
  private mutating func ordered(_ due: MonotonicTime, on way: LinkWay) -> MonotonicTime {
    let time = max(due, lastArrival[way] ?? due)
    lastArrival[way] = time
    return time
  }

  mutating func draw(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound == range.upperBound ? range.lowerBound : Int64.random(in: range, using: &network)
  }

  /// Whether an event with that probability (in 1/1000) happens. Draws no number if it is impossible.
  mutating func happens(_ permille: Int) -> Bool {
    permille > 0 && (permille >= 1_000 || Int.random(in: 0..<1_000, using: &network) < permille)
  }
}

extension Link {
  /// A short description.
  fileprivate var words: String {
    [("up", up), ("down", down), ("push", push)].map { "\($0) \($1.words)" }.joined(separator: "; ")
  }
}

extension LinkConditions {
  fileprivate var words: String {
    if isCut { return "cut" }
    if isClogged { return "clogged" }
    var words = ["\(delay.lowerBound)-\(delay.upperBound) ms"]
    if loss > 0 { words.append("loses \(loss)/1000") }
    if duplication > 0 { words.append("doubles \(duplication)/1000") }
    if isReordering { words.append("reorders") }
    return words.joined(separator: " ")
  }
}
