import ZoneKitRecords

/// A part of a selection that has a height of its own. An arrow has two: its start and its end.
struct TimelineStop: Sendable {
  enum Content: Sendable {
    case row(TimelineRow, Int)
    /// The end of the arrow of the entry with that number.
    case landing(Arrow, TimelineRow, Int)
    case leftOut([TraceEvent], count: Int)
  }

  /// The time of the stop.
  let at: MonotonicTime
  let content: Content
  /// The order among stops of the same time: arrivals come before what they cause.
  private let order: [Int]

  /// The stops of these entries, ordered by time.
  static func stops(_ entries: [TimelineSelection.Entry]) -> [TimelineStop] {
    entries.enumerated().flatMap { stops($0.element, $0.offset) }
      .sorted { ($0.at, $0.order[0], $0.order[1], $0.order[2]) < ($1.at, $1.order[0], $1.order[1], $1.order[2]) }
  }

  private static func stops(_ entry: TimelineSelection.Entry, _ index: Int) -> [TimelineStop] {
    switch entry {
    case .leftOut(let events, let count):
      return events.first.map {
        [TimelineStop(at: $0.at, content: .leftOut(events, count: count), order: [1, index, 0])]
      } ?? []
    case .row(let row):
      let start = TimelineStop(at: row.event.at, content: .row(row, index), order: [1, index, 0])
      guard case .arrow(let arrow) = row.event.content else { return [start] }
      let end = max(arrow.fate.moment, row.event.at)
      let order = end == row.event.at ? [1, index, 1] : [0, index, 1]
      return [start, TimelineStop(at: end, content: .landing(arrow, row, index), order: order)]
    }
  }
}

extension Arrow.Fate {
  /// The time at which the arrow ends.
  var moment: MonotonicTime {
    switch self {
    case .arrives(let at), .dies(let at, _): at
    }
  }
}

extension TimelineSelection.Entry {
  /// The events of the entry.
  var events: [TraceEvent] {
    switch self {
    case .row(let row): [row.event]
    case .leftOut(let events, _): events
    }
  }
}
