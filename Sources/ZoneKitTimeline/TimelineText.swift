/// Renders a timeline as lines for a terminal.
struct TimelineText {
  /// The most characters of an event's description in a line.
  private static let room = 100
  private let timeline: Timeline

  /// The columns of a line. Texts of steps, conflicts and broken expectations are not cut.
  private struct Columns {
    var time = ""
    var place = ""
    var what: String
    var isWhole = false
  }

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// The heading, the number of shown events, and a line for each row: time, place and event.
  var lines: [String] {
    let selection = timeline.selection
    let rows = selection.entries.map(columns)
    let timeWidth = rows.map(\.time.count).max() ?? 0
    let placeWidth = min(28, rows.map(\.place.count).max() ?? 0)
    var lines = [TimelineWords.shown(timeline.heading), TimelineWords.shown(timeline.note(on: selection))]
    var now: Int64?
    for (row, entry) in zip(rows, selection.entries) {
      let events = entry.events
      if let now, let next = events.first?.at.milliseconds, next &- now >= TimelineSheet.quiet {
        lines.append(String(repeating: " ", count: timeWidth) + "  ⋮ " + TimelineWords.spell(next &- now))
      }
      now = events.last?.at.milliseconds
      let place = Self.cut(row.place, placeWidth)
      let padding = String(repeating: " ", count: placeWidth - place.count)
      let time = String(repeating: " ", count: timeWidth - row.time.count) + row.time
      lines.append(
        "\(time)  \(place)\(padding)  \(row.isWhole ? TimelineWords.shown(row.what) : Self.cut(row.what, Self.room))")
    }
    return lines
  }

  private func columns(_ entry: TimelineSelection.Entry) -> Columns {
    switch entry {
    case .leftOut(_, let count): return Columns(place: "…", what: TimelineWords.leftOut(count))
    case .row(let row):
      let time = TimelineWords.moment(row.event.at.milliseconds)
      let trace = timeline.trace
      switch row.event.content {
      case .mark(let mark):
        let what =
          switch mark.kind {
          case .step: "── \(row.words)"
          case .broken: "!! BROKEN: \(row.words)"
          case .fact: row.words
          default: "\(mark.kind.rawValue): \(row.words)"
          }
        return Columns(
          time: time, place: TimelineWords.shown(mark.kind == .step ? "" : trace.name(of: mark.lane)), what: what,
          isWhole: [.step, .broken, .conflict].contains(mark.kind))
      case .arrow(let arrow):
        let place = "\(trace.name(of: arrow.from)) → \(trace.name(of: arrow.to))"
        return Columns(time: time, place: TimelineWords.shown(place), what: Self.what(arrow, row))
      }
    }
  }

  private static func what(_ arrow: Arrow, _ row: TimelineRow) -> String {
    let words = "\(arrow.kind.rawValue): \(row.words)"
    return switch arrow.fate {
    case .arrives(let at): "\(words) → \(TimelineWords.moment(at.milliseconds))"
    case .dies(let at, let reason): "✗ \(reason) \(TimelineWords.moment(at.milliseconds)) — \(words)"
    }
  }

  private static func cut(_ text: String, _ width: Int) -> String {
    let text = TimelineWords.shown(text)
    return text.count <= width ? text : String(text.prefix(width - 1)) + "…"
  }
}
