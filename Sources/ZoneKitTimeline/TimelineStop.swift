import ZoneKitRecords

/// Something of a selection that needs a height of its own: an arrow has two, where it is sent and where it ends.
struct TimelineStop: Sendable {
  enum Content: Sendable {
    case row(TimelineRow, Int)
    /// The end of the arrow of the entry of that number.
    case landing(Arrow, TimelineRow, Int)
    case leftOut([TraceEvent], count: Int)
  }

  /// When.
  let at: MonotonicTime
  let content: Content
  /// What decides between stops of one moment: what arrives comes before what that causes.
  private let order: [Int]

  /// The stops of these entries, by time.
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
  /// When the arrow ends.
  var moment: MonotonicTime {
    switch self {
    case .arrives(let at), .dies(let at, _): at
    }
  }
}

extension TimelineSelection.Entry {
  /// What happened there.
  var events: [TraceEvent] {
    switch self {
    case .row(let row): [row.event]
    case .leftOut(let events, _): events
    }
  }
}
