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
  /// The number of events that are folded into the rows of others.
  let folded: Int
  private var run: [TraceEvent] = []
  private var runCount = 0

  /// The selection of the most important events. Without a known divergence, the last edit of what the broken
  /// expectation is about counts as one.
  init(_ events: [TraceEvent], divergence: Trace.Divergence? = nil, limit: Int) {
    let events = Self.inOrder(events)
    let folding = TimelineFolding(events, divergence: divergence.flatMap { Self.event(of: $0, in: events) })
    folded = folding.folded
    var rows = folding.rows
    if divergence == nil, let row = Self.divergence(rows) { rows[row].isDivergence = true }
    let chosen = Self.choose(rows, limit: limit)
    for (row, isShown) in zip(rows, chosen) { add(row, isShown: isShown) }
    endRun()
  }

  /// The row of the first broken expectation; nil if there is none.
  var broken: TimelineRow? { row(where: { $0.event.markKind == .broken }) }

  /// The row from which on the content differs that the broken expectation is about; nil if none is known.
  var divergence: TimelineRow? { row(where: \.isDivergence) }

  private func row(where isMeant: (TimelineRow) -> Bool) -> TimelineRow? {
    for case .row(let row) in entries where isMeant(row) { return row }
    return nil
  }

  /// The events ordered by time; for equal times, in the order of the trace.
  private static func inOrder(_ events: [TraceEvent]) -> [TraceEvent] {
    events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// The event that made records differ: at that moment, an edit of them if there is one, otherwise what else is about
  /// them, otherwise the first event.
  private static func event(of divergence: Trace.Divergence, in events: [TraceEvent]) -> Int? {
    let then = events.indices.filter { events[$0].at == divergence.at && events[$0].markKind != .step }
    let about = then.filter { !Set(divergence.records).isDisjoint(with: events[$0].detail.records) }
    return about.first { events[$0].markKind == .edit } ?? then.first { events[$0].markKind == .commit } ?? about.first
      ?? then.first
  }

  /// The last row that wrote a record of the first broken expectation.
  private static func divergence(_ rows: [TimelineRow]) -> Int? {
    guard let broken = rows.firstIndex(where: { $0.event.markKind == .broken }) else { return nil }
    let records = records(of: rows[broken], in: rows[..<broken])
    let about = rows[..<broken].indices.filter { !records.isDisjoint(with: rows[$0].event.detail.records) }
    return about.last { rows[$0].event.markKind == .edit } ?? about.last
  }

  /// The names of the records that a broken expectation is about: those of its detail, otherwise those that its text
  /// names.
  private static func records(of broken: TimelineRow, in rows: ArraySlice<TimelineRow>) -> Set<String> {
    let records = broken.event.detail.records
    guard records.isEmpty else { return Set(records) }
    let text = broken.event.text
    return Set(rows.flatMap(\.event.detail.records)).filter { text.contains($0) }
  }

  /// Chooses the rows that matter most, and of equal ones those that are nearest to the first broken expectation.
  private static func choose(_ rows: [TimelineRow], limit: Int) -> [Bool] {
    let moment = rows.firstIndex { $0.event.markKind == .broken } ?? rows.count
    let records = moment < rows.count ? records(of: rows[moment], in: rows[..<moment]) : []
    let order = rows.indices.map { index -> (rank: Int, distance: Int, index: Int) in
      let distance = index <= moment ? moment - index : index
      return (rank(rows[index], records), distance, index)
    }.sorted { $0 < $1 }
    var chosen = rows.map { _ in false }
    var room = limit
    for entry in order where entry.rank == 0 || room > 0 {
      chosen[entry.index] = true
      if entry.rank > 0 { room -= 1 }
    }
    return chosen
  }

  /// How much a row matters, from 0 for the most. Rows of rank 0 are always shown.
  private static func rank(_ row: TimelineRow, _ records: Set<String>) -> Int {
    if row.isDivergence { return 0 }
    let isAbout = !records.isDisjoint(with: row.event.detail.records)
    switch row.event.content {
    case .mark(let mark):
      switch mark.kind {
      case .step, .broken: return 0
      case .edit, .conflict: return isAbout ? 0 : 1
      case .merge, .commit: return isAbout ? 0 : 2
      case .crash, .fault, .life, .account, .clock, .link, .kept: return 1
      case .start, .push: return 2
      case .sync: return 3
      case .fact: return 4
      }
    case .arrow(let arrow):
      if case .dies = arrow.fate { return 1 }
      if isAbout || arrow.kind == .push { return 2 }
      return arrow.detail.role == .usual ? 3 : 4
    }
  }

  private mutating func add(_ row: TimelineRow, isShown: Bool) {
    if isShown {
      endRun()
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
