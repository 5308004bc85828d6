import ZoneKitRecords

/// Which events of a trace are shown: repetitions folded, and no more rows than the limit.
struct TimelineSelection: Hashable, Sendable {
  enum Entry: Hashable, Sendable {
    case row(TimelineRow)
    /// Events at that place that are not shown, in their order, repetitions but once, and how many there were with
    /// those.
    case leftOut([TraceEvent], count: Int)
  }

  /// What is shown, in the order of time.
  private(set) var entries: [Entry] = []
  /// How many events are not shown.
  private(set) var leftOut = 0
  /// How many events are only counted in the row of the first of their kind.
  private(set) var folded = 0
  private var run: [TraceEvent] = []
  private var runCount = 0

  init(_ events: [TraceEvent], limit: Int) {
    let rows = Self.fold(Self.inOrder(events))
    let chosen = Self.choose(rows, limit: limit)
    for (row, isShown) in zip(rows, chosen) { add(row, isShown: isShown) }
    endRun()
  }

  /// By time; the order of the trace decides between events of one moment.
  private static func inOrder(_ events: [TraceEvent]) -> [TraceEvent] {
    events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// Takes an event that repeats an earlier one of its lane into that one's row, unless something else happened there
  /// between.
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

  /// All steps and broken promises, the last rows before the first broken promise, and those after it if there is room.
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
