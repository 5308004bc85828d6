import ZoneKitRecords

/// One event of a timeline, with the events that are folded into it.
struct TimelineRow: Hashable, Sendable {
  /// The first of the events.
  var event: TraceEvent
  /// The number of equal events that this row stands for.
  var times = 1
  /// The time of the last of them.
  var last: MonotonicTime
  /// What else is folded into the row, in words; empty if nothing is.
  var addition = ""
  /// Whether the content that a broken expectation is about differs from here on.
  var isDivergence = false

  init(_ event: TraceEvent) {
    self.event = event
    last = event.at
  }

  /// The description of the event, with what is folded into the row.
  var words: String {
    let detail = event.detail.text
    var text = detail.isEmpty ? event.text : "\(event.text): \(detail)"
    if !addition.isEmpty { text += " · \(addition)" }
    return times == 1 ? text : "\(text) ×\(times) until \(TimelineWords.moment(last.milliseconds))"
  }
}

extension TraceEvent {
  /// The description of the event.
  var text: String {
    switch content {
    case .mark(let mark): mark.text
    case .arrow(let arrow): arrow.text
    }
  }

  /// What a timeline uses besides the text.
  var detail: TraceDetail {
    switch content {
    case .mark(let mark): mark.detail
    case .arrow(let arrow): arrow.detail
    }
  }

  /// The lanes of the event.
  var lanes: [Lane] {
    switch content {
    case .mark(let mark): [mark.lane]
    case .arrow(let arrow): [arrow.from, arrow.to]
    }
  }

  /// The device of the event: that of the mark, or the one that sends or gets the message; nil if there is none.
  var device: Int? {
    for case .device(let number) in lanes { return number }
    return nil
  }

  /// The kind of the mark; nil for an arrow.
  var markKind: Mark.Kind? {
    if case .mark(let mark) = content { return mark.kind }
    return nil
  }

  /// Whether the event is a message that arrives.
  var arrives: Bool {
    if case .arrow(let arrow) = content, case .arrives = arrow.fate { return true }
    return false
  }
}
