import ZoneKitRecords

/// Folds what says nothing about the records: the set-up of devices, fetches that bring nothing, and repetitions.
///
/// A request and its answer are folded into the end of their sync if the answer belongs to the set-up or is idle, and a
/// sync that got nothing into one row. A repetition is counted in the row of the first, as long as nothing else happens
/// in its lane. Digits are not compared, so that retries after growing times are equal.
struct TimelineFolding {
  /// The rows that are left, in the order of the events.
  private(set) var rows: [TimelineRow] = []
  /// The number of events that are folded into the rows of others.
  private(set) var folded = 0

  /// A device's present sync.
  private struct Progress {
    /// The rows of the requests without an answer.
    var open: [Int] = []
    /// The row of the sync's begin; nil between two syncs.
    var begin: Int?
    var hasNews = false
    var setUp = 0
    var idle = 0
  }

  private var progress: [Int: Progress] = [:]
  private var isHidden: [Bool] = []

  /// Folds events that are ordered by time. The event with the number `divergence` keeps its row.
  init(_ events: [TraceEvent], divergence: Int? = nil) {
    for (number, event) in events.enumerated() { add(event, isDivergence: number == divergence) }
    rows = zip(rows, isHidden).compactMap { $1 ? nil : $0 }
    repetitions()
  }

  // MARK: Syncs

  private mutating func add(_ event: TraceEvent, isDivergence: Bool) {
    let row = rows.count
    rows.append(TimelineRow(event))
    rows[row].isDivergence = isDivergence
    isHidden.append(false)
    guard let device = event.device else { return }
    var state = progress[device] ?? Progress()
    switch event.content {
    case .arrow(let arrow) where arrow.kind == .request && arrow.detail.role == .usual && event.arrives:
      state.open.append(row)
    case .arrow(let arrow) where arrow.kind == .answer && !state.open.isEmpty:
      answered(arrow, event, row, &state)
    case .arrow(let arrow): note(arrow.detail.role, isQuiet: event.arrives, row, &state)
    case .mark(let mark): note(mark, row, &state)
    }
    progress[device] = state
  }

  private mutating func answered(_ arrow: Arrow, _ event: TraceEvent, _ row: Int, _ state: inout Progress) {
    let request = state.open.removeFirst()
    guard event.arrives, arrow.detail.role == .setUp || arrow.detail.role == .idle else { return state.hasNews = true }
    hide(request)
    hide(row)
    if arrow.detail.role == .setUp { state.setUp += 1 } else { state.idle += 1 }
  }

  /// Notes a message or fact that is no answer. One that does not arrive is shown.
  private mutating func note(_ role: TraceDetail.Role, isQuiet: Bool, _ row: Int, _ state: inout Progress) {
    if isQuiet, role == .setUp || role == .idle { hide(row) } else { state.hasNews = true }
  }

  private mutating func note(_ mark: Mark, _ row: Int, _ state: inout Progress) {
    switch mark.detail.role {
    case .syncBegins:
      state = Progress()
      state.begin = row
    case .syncEnds(let isIdle):
      rows[row].addition = Self.addition(state)
      if isIdle, !state.hasNews, let begin = state.begin {
        hide(begin)
        rows[row].addition = [rows[begin].event.text, rows[row].addition].filter { !$0.isEmpty }.joined(separator: ", ")
      }
      state = Progress()
    case .setUp, .idle: note(mark.detail.role, isQuiet: mark.kind == .fact, row, &state)
    // The verdict on an expectation is no part of a sync.
    case .usual, .step: if mark.kind != .kept { state.hasNews = true }
    }
  }

  private mutating func hide(_ row: Int) {
    guard !rows[row].isDivergence else { return }
    isHidden[row] = true
    folded += 1
  }

  private static func addition(_ state: Progress) -> String {
    var parts: [String] = []
    if state.setUp > 0 { parts.append("\(state.setUp.counted("request")) of the set-up") }
    if state.idle > 0 { parts.append("\(state.idle.counted("request")) without news") }
    return parts.joined(separator: ", ")
  }

  // MARK: Repetitions

  /// Counts rows that repeat an earlier one of their lane in that one's row, and rows of a repeated step in those of its
  /// first time.
  private mutating func repetitions() {
    var kept: [TimelineRow] = []
    var firsts: [TraceEvent.Lane: [TraceEvent: Int]] = [:]
    // The rows of earlier times of a step, and what happened first after it.
    var steps: [Int: Int] = [:]
    var firstsOfStep: [Int: [TraceEvent.Lane: [TraceEvent: Int]]] = [:]
    var step: Int?
    var isRepeated = false
    for row in rows {
      if case .step(let line) = row.event.detail.role {
        if let step { firstsOfStep[step] = firsts }
        step = line
        isRepeated = steps[line] != nil
        firsts = firstsOfStep[line] ?? [:]
        if let first = steps[line] {
          count(row, in: &kept[first])
        } else {
          steps[line] = kept.count
          kept.append(row)
        }
        continue
      }
      guard let lane = row.event.repeatedLane ?? (isRepeated ? row.event.stepLane : nil) else {
        for lane in row.event.lanes { firsts[lane]?[row.event.comparable] = nil }
        for lane in row.event.lanes where !isRepeated { firsts[lane] = nil }
        if let lane = row.event.stepLane { firsts[lane, default: [:]][row.event.comparable] = kept.count }
        kept.append(row)
        continue
      }
      if let first = firsts[lane]?[row.event.comparable], !row.isDivergence {
        count(row, in: &kept[first])
      } else {
        firsts[lane, default: [:]][row.event.comparable] = kept.count
        kept.append(row)
      }
    }
    rows = kept
  }

  private mutating func count(_ row: TimelineRow, in first: inout TimelineRow) {
    first.times += row.times
    first.last = row.last
    folded += row.times
  }
}

extension TraceEvent {
  /// The lane in which the event may repeat an earlier one; nil if it is never folded, and ends repetitions there.
  fileprivate var repeatedLane: Lane? {
    switch content {
    case .mark(let mark):
      switch mark.kind {
      case .fact, .push, .sync: return mark.lane
      case .step, .edit, .merge, .conflict, .crash, .start, .link, .life, .account, .clock, .fault, .commit, .kept,
        .broken:
        return nil
      }
    case .arrow(let arrow):
      if case .dies = arrow.fate { return device.map { .device($0) } }
      guard arrow.kind == .hello || arrow.detail.role != .usual else { return nil }
      return device.map { .device($0) }
    }
  }

  /// The lane in which the event may repeat one of an earlier time of a repeated step: that of an edit.
  fileprivate var stepLane: Lane? {
    if case .mark(let mark) = content, mark.kind == .edit { return mark.lane }
    return nil
  }

  /// The event without what differs between repetitions: times and numbers, and the records of edits.
  fileprivate var comparable: TraceEvent {
    var copy = self
    copy.at = MonotonicTime(milliseconds: 0)
    switch content {
    case .mark(var mark):
      mark.text = mark.kind == .edit ? "" : Self.withoutNumbers(mark.text)
      mark.detail = TraceDetail(mark.detail.role)
      copy.content = .mark(mark)
    case .arrow(var arrow):
      arrow.text = Self.withoutNumbers(arrow.text)
      arrow.detail = TraceDetail()
      switch arrow.fate {
      case .arrives: arrow.fate = .arrives(copy.at)
      case .dies(_, let reason): arrow.fate = .dies(copy.at, reason)
      }
      copy.content = .arrow(arrow)
    }
    return copy
  }

  /// The text with each number, and each word of eight or more hexadecimal digits, replaced by one sign.
  private static func withoutNumbers(_ text: String) -> String {
    var result = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !result.isEmpty { result += " " }
      if word.utf8.count >= 8, word.allSatisfy(\.isHexDigit) {
        result += "#"
        continue
      }
      for character in word.unicodeScalars {
        guard ("0"..."9").contains(character) else {
          result.unicodeScalars.append(character)
          continue
        }
        if !result.hasSuffix("#") { result += "#" }
      }
    }
    return result
  }
}
