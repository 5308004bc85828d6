import ZoneKitRecords

/// One event of a timeline, with the number of its repetitions.
struct TimelineRow: Hashable, Sendable {
  /// The first of the events.
  var event: TraceEvent
  /// The number of equal events that this row stands for.
  var times = 1
  /// The time of the last of them.
  var last: MonotonicTime

  init(_ event: TraceEvent) {
    self.event = event
    last = event.at
  }

  /// The description of the event, with the number of repetitions.
  var words: String {
    let text =
      switch event.content {
      case .mark(let mark): mark.text
      case .arrow(let arrow): arrow.text
      }
    return times == 1 ? text : "\(text) ×\(times) until \(TimelineWords.moment(last.milliseconds))"
  }
}

extension TraceEvent {
  /// The lanes of the event.
  var lanes: [Lane] {
    switch content {
    case .mark(let mark): [mark.lane]
    case .arrow(let arrow): [arrow.from, arrow.to]
    }
  }

  /// The kind of the mark; nil for an arrow.
  var markKind: Mark.Kind? {
    if case .mark(let mark) = content { return mark.kind }
    return nil
  }

  /// The lane in which the event may repeat an earlier one; nil if it is never folded. Facts and delivered hellos are
  /// folded.
  var heartbeatLane: Lane? {
    switch content {
    case .mark(let mark): return mark.kind == .fact ? mark.lane : nil
    case .arrow(let arrow):
      guard arrow.kind == .hello, case .arrives = arrow.fate else { return nil }
      if case .device = arrow.to { return arrow.to }
      return arrow.from
    }
  }

  /// The event without its times, to compare repetitions.
  var timeless: TraceEvent {
    var copy = self
    copy.at = MonotonicTime(milliseconds: 0)
    if case .arrow(var arrow) = content {
      arrow.fate = .arrives(copy.at)
      copy.content = .arrow(arrow)
    }
    return copy
  }
}
