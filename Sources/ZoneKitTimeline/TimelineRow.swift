import ZoneKitRecords

/// One event that is shown, and how often it was repeated with nothing else in its lane.
struct TimelineRow: Hashable, Sendable {
  /// The first of the events.
  var event: TraceEvent
  /// How many there were.
  var times = 1
  /// When the last of them was.
  var last: MonotonicTime

  init(_ event: TraceEvent) {
    self.event = event
    last = event.at
  }

  /// The few words of the event, with the repetitions.
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
  /// The places it concerns.
  var lanes: [Lane] {
    switch content {
    case .mark(let mark): [mark.lane]
    case .arrow(let arrow): [arrow.from, arrow.to]
    }
  }

  /// What sort of mark it is, if it is one.
  var markKind: Mark.Kind? {
    if case .mark(let mark) = content { return mark.kind }
    return nil
  }

  /// The place whose repetitions it may be one of. Facts and hellos that arrive are folded when they repeat.
  var heartbeatLane: Lane? {
    switch content {
    case .mark(let mark): return mark.kind == .fact ? mark.lane : nil
    case .arrow(let arrow):
      guard arrow.kind == .hello, case .arrives = arrow.fate else { return nil }
      if case .device = arrow.to { return arrow.to }
      return arrow.from
    }
  }

  /// The same event without its times: what a repetition has in common with the first.
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
