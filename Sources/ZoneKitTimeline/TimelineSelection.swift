import ZoneKitRecords

/// The events of a trace that a timeline shows. Repetitions are folded, and there are no more rows than the limit.
struct TimelineSelection: Hashable, Sendable {
  enum Entry: Hashable, Sendable {
    case row(TimelineRow)
    /// Events at this position that are not shown, in order and each repetition once, and their number with
    /// repetitions.
    case leftOut([TraceEvent], count: Int)
  }

  /// The rows and gaps, ordered by time.
  private(set) var entries: [Entry] = []
  /// The number of events that are not shown.
  private(set) var leftOut = 0
  /// The number of repetitions that are only counted in the row of the first.
  private(set) var folded = 0
  private var run: [TraceEvent] = []
  private var runCount = 0

  init(_ events: [TraceEvent], limit: Int) {
    let rows = Self.fold(Self.inOrder(events))
    let chosen = Self.choose(rows, limit: limit)
    for (row, isShown) in zip(rows, chosen) { add(row, isShown: isShown) }
    endRun()
  }

  /// The events ordered by time; for equal times, in the order of the trace.
  private static func inOrder(_ events: [TraceEvent]) -> [TraceEvent] {
    events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// Counts an event that repeats an earlier one of its lane in that one's row, unless another event of the lane is
  /// between them.
  private static func fold(_ events: [TraceEvent]) -> [TimelineRow] {
    var rows: [TimelineRow] = []
    var firsts: [TraceEvent.Lane: [TraceEvent: Int]] = [:]
    for event in events {
      guard let lane = event.heartbeatLane else {
        for lane in event.lanes { firsts[lane] = nil }
        rows.append(TimelineRow(event))
        continue
      }
      if let first = firsts[lane]?[event.timeless] {
        rows[first].times += 1
        rows[first].last = event.at
      } else {
        firsts[lane, default: [:]][event.timeless] = rows.count
        rows.append(TimelineRow(event))
      }
    }
    return rows
  }

  /// Chooses all steps and broken expectations, the last rows before the first broken one and, if there is room, the
  /// rows after it.
  private static func choose(_ rows: [TimelineRow], limit: Int) -> [Bool] {
    var chosen = rows.map { $0.event.markKind == .step || $0.event.markKind == .broken }
    let moment = rows.firstIndex { $0.event.markKind == .broken } ?? rows.count
    var room = limit
    for index in Array((0..<moment).reversed()) + Array(moment..<rows.count) where !chosen[index] && room > 0 {
      chosen[index] = true
      room -= 1
    }
    return chosen
  }

  private mutating func add(_ row: TimelineRow, isShown: Bool) {
    if isShown {
      endRun()
      folded += row.times - 1
      entries.append(.row(row))
      return
    }
    leftOut += row.times
    runCount += row.times
    run.append(row.event)
  }

  private mutating func endRun() {
    if !run.isEmpty { entries.append(.leftOut(run, count: runCount)) }
    run = []
    runCount = 0
  }
}
