import ZoneKitRecords

/// The positions of everything in a timeline.
///
/// Each text belongs to a column: the times, the steps, or the space between two lanes. Columns are filled from top to
/// bottom, and a later time is never above an earlier one, so no two texts overlap.
struct TimelineLayout: Sendable {
  /// An arrow between two points.
  struct Flight: Hashable, Sendable {
    var kind: Arrow.Kind
    var from: Point
    var to: Point
    var dies: Bool
    var tooltip: String
  }

  /// A shape on a lane.
  struct Sign: Hashable, Sendable {
    var kind: Mark.Kind
    var at: Point
    var tooltip: String
  }

  /// A band across the whole width.
  struct Band: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
      case gap
      case divergence
      case broken
      case step
    }
    var kind: Kind
    var y: Int
    var height: Int
  }

  /// A change of a lane's style.
  struct Turn: Hashable, Sendable {
    var y: Int
    var look: LaneCondition.Look
  }

  struct Point: Hashable, Sendable {
    var x: Int
    var y: Int
  }

  let lanes: [TraceEvent.Lane]
  let trace: Trace
  let heading: String
  let note: String
  private(set) var labels: [TimelineLabel] = []
  private(set) var flights: [Flight] = []
  private(set) var signs: [Sign] = []
  private(set) var bands: [Band] = []
  /// The changes of each lane's style, from top to bottom.
  private(set) var turns: [[Turn]] = []
  /// The height of the whole picture.
  private(set) var height = TimelineSheet.top
  /// The number of rows that are shown and may be left out.
  private(set) var rows = 0
  /// The lines of the banner at the top: the first broken expectation, and the moment from which on the content differs.
  private(set) var banner: [String] = []

  private var conditions: [LaneCondition] = []
  /// The first free height in the column of times, in the column of steps, and in the column to the right of each lane.
  private var freeTime = 0
  private var freeStep = 0
  private var free: [Int]
  /// The first free height on each lane.
  private var freeLane: [Int]
  private var base = 0
  private var lowest = 0
  private var namesAt = 0
  private var now: Int64?
  private var written: Int64?
  private var departures: [Int: Point] = [:]

  init(lanes: [TraceEvent.Lane], trace: Trace, heading: String, note: String) {
    self.lanes = lanes
    self.trace = trace
    self.heading = heading
    self.note = note
    free = Array(repeating: 0, count: lanes.count)
    freeLane = free
  }

  /// The width of the whole picture.
  var width: Int { x(lanes.count) }

  /// The horizontal position of a lane.
  func x(_ lane: Int) -> Int { TimelineSheet.firstLane + lane * TimelineSheet.gap }

  /// The kinds of arrows that are shown, for the legend.
  var arrowKinds: [Arrow.Kind] { Arrow.Kind.allCases.filter { kind in flights.contains { $0.kind == kind } } }
  var markKinds: [Mark.Kind] { Mark.Kind.allCases.filter { kind in signs.contains { $0.kind == kind } } }
  var looks: [LaneCondition.Look] {
    LaneCondition.Look.allCases.filter { look in turns.contains { $0.contains { $0.look == look } } }
  }

  /// Places everything that is selected.
  mutating func lay(_ selection: TimelineSelection) {
    rows = selection.entries.count
    banner = banner(of: selection)
    startLanes(selection)
    names()
    for stop in TimelineStop.stops(selection.entries) {
      advance(to: stop.at)
      switch stop.content {
      case .row(let row, let index): lay(row, index)
      case .landing(let arrow, let row, let index): land(arrow, row, index)
      case .leftOut(let events, let count): leaveOut(events, count)
      }
    }
    if selection.entries.isEmpty { band(.gap, ["nothing happened"], tooltip: "nothing happened") }
    barrier()
    names()
    height = base
  }

  private func banner(of selection: TimelineSelection) -> [String] {
    guard let broken = selection.broken else { return [] }
    var lines = TextMeasure.wrapped(
      TimelineWords.shown(brokenText(broken)), size: TimelineSheet.headLetters, width: bannerWidth, lines: 3)
    if let row = selection.divergence {
      lines.append(
        TextMeasure.fitted(
          TimelineWords.shown("They differ since \(TimelineWords.moment(row.event.at.milliseconds)): \(row.words)"),
          size: TimelineSheet.headLetters, width: bannerWidth))
    }
    return lines
  }

  /// The width for bold text in a red frame. The measure is that of regular letters.
  private var bannerWidth: Int { (width - 80) * 8 / 9 }

  private func brokenText(_ row: TimelineRow) -> String {
    let place = row.event.lanes.map(trace.name).joined()
    return "Broken at \(TimelineWords.moment(row.event.at.milliseconds)), \(place): \(row.event.text)"
  }

  // MARK: Times

  private mutating func advance(to moment: MonotonicTime) {
    let (spell, overflow) = moment.milliseconds.subtractingReportingOverflow(now ?? moment.milliseconds)
    guard now == nil || spell > 0 || overflow else { return }
    if spell >= TimelineSheet.quiet || overflow {
      let text = overflow ? "ages" : TimelineWords.spell(spell)
      band(.gap, [text + " later"], tooltip: "\(text) in which nothing is shown to happen")
      if base > namesAt + TimelineSheet.namesAfter { names() }
    } else {
      base = max(base, lowest) + TimelineSheet.advance(spell)
    }
    now = moment.milliseconds
    if base > namesAt + TimelineSheet.namesWithin { names() }
  }

  /// Writes the time at that height, if there is space.
  private mutating func moment(at y: Int) {
    lowest = max(lowest, y)
    guard let now, y - 9 >= freeTime, now != written else { return }
    written = now
    let text = TimelineWords.moment(now)
    label(.time, text, text, x: 8, y: y - 9, width: TimelineSheet.timeEdge - 8, .end)
    freeTime = y + 9
  }

  /// Moves all columns below everything placed so far.
  private mutating func barrier() {
    base = max(free.max() ?? 0, freeLane.max() ?? 0, freeTime, freeStep, lowest, base) + 6
    lowest = base
  }

  // MARK: Bands

  private mutating func band(_ kind: Band.Kind, _ texts: [String], tooltip: String) {
    barrier()
    let height = texts.count * TimelineSheet.line + 10
    bands.append(Band(kind: kind, y: base, height: height))
    for (index, text) in texts.enumerated() {
      let y = base + 5 + index * TimelineSheet.line
      if kind == .broken {
        label(.broken, text, tooltip, x: 56, y: y, width: width - 80)
      } else {
        label(.gap, text, tooltip, x: 34, y: y, width: TimelineSheet.firstLane - 44)
      }
    }
    clear(base + height + 6)
  }

  private mutating func clear(_ y: Int) {
    base = y
    lowest = y
    freeTime = y
    freeStep = y
    written = nil
    for lane in lanes.indices {
      free[lane] = y
      freeLane[lane] = y
    }
  }

  private mutating func names() {
    barrier()
    for (index, lane) in lanes.enumerated() {
      let name = trace.name(of: lane)
      label(.lane, name, name, x: x(index) - 95, y: base, width: 190, .middle)
    }
    namesAt = base
    clear(base + 30)
  }

  /// Writes the number of events that are left out below the last time. It takes no height of its own.
  private mutating func leaveOut(_ events: [TraceEvent], _ count: Int) {
    guard let first = events.first, let last = events.last else { return }
    let moments = [first, last].map { TimelineWords.moment($0.at.milliseconds) }
    let tooltip = "\(TimelineWords.leftOut(count)), \(moments[0]) to \(moments[1])"
    let top = max(freeTime, base)
    label(.gap, "⋮ \(count)", tooltip, x: 8, y: top, width: TimelineSheet.timeEdge - 8, .end)
    freeTime = top + TimelineSheet.line
    for event in events {
      if case .mark(let mark) = event.content { turn(mark, at: top + 8) }
    }
    now = last.at.milliseconds
  }

  // MARK: Marks

  private mutating func lay(_ row: TimelineRow, _ index: Int) {
    if row.isDivergence { band(.divergence, ["they differ from here"], tooltip: tooltip(row)) }
    switch row.event.content {
    case .mark(let mark): lay(mark, row)
    case .arrow(let arrow): depart(arrow, row, index)
    }
  }

  private mutating func lay(_ mark: Mark, _ row: TimelineRow) {
    switch mark.kind {
    case .step: step(row)
    case .broken:
      let lines = TextMeasure.wrapped(
        TimelineWords.shown(brokenText(row)), size: TimelineSheet.headLetters, width: bannerWidth, lines: 4)
      band(.broken, lines, tooltip: tooltip(row))
    default:
      guard let lane = lanes.firstIndex(of: mark.lane) else { return }
      let top = max(free[lane], freeLane[lane] - 4, base)
      let y = top + 9
      signs.append(Sign(kind: mark.kind, at: Point(x: x(lane), y: y), tooltip: tooltip(row)))
      let words = mark.kind == .fact || mark.kind == .sync ? row.words : "\(mark.kind.rawValue): \(row.words)"
      free[lane] =
        2
        + labels(
          .mark, words, tooltip(row), x: x(lane) + TimelineSheet.reach, y: top, width: TimelineSheet.labelWidth,
          most: mark.kind == .conflict ? TimelineSheet.conflictLines : 3)
      freeLane[lane] = y + 9
      turn(mark, at: y)
      moment(at: y)
    }
  }

  private mutating func step(_ row: TimelineRow) {
    if base > namesAt + TimelineSheet.namesAfter { names() }
    barrier()
    bands.append(Band(kind: .step, y: base, height: 0))
    let lines = TextMeasure.wrapped(
      TimelineWords.shown(row.words), size: TimelineSheet.letters, width: TimelineSheet.stepWidth, lines: 3)
    for (index, line) in lines.enumerated() {
      label(
        .step, line, tooltip(row), x: TimelineSheet.stepEdge, y: base + 4 + index * TimelineSheet.line,
        width: TimelineSheet.stepWidth)
    }
    let top = base
    clear(base + 4)
    moment(at: top + 13)
    lowest = base
    freeStep = top + 4 + lines.count * TimelineSheet.line + 4
  }

  private mutating func turn(_ mark: Mark, at y: Int) {
    guard let lane = lanes.firstIndex(of: mark.lane) else { return }
    conditions[lane].take(mark)
    let look = conditions[lane].look
    if turns[lane].last?.look != look { turns[lane].append(Turn(y: y, look: look)) }
  }

  private mutating func startLanes(_ selection: TimelineSelection) {
    var marks: [TraceEvent.Lane: [Mark]] = [:]
    for entry in selection.entries {
      for event in entry.events {
        if case .mark(let mark) = event.content { marks[mark.lane, default: []].append(mark) }
      }
    }
    conditions = lanes.map { LaneCondition(before: marks[$0] ?? []) }
    turns = conditions.map { [Turn(y: TimelineSheet.top + 24, look: $0.look)] }
    clear(TimelineSheet.top)
  }

  // MARK: Arrows

  private mutating func depart(_ arrow: Arrow, _ row: TimelineRow, _ index: Int) {
    guard let from = lanes.firstIndex(of: arrow.from), let to = lanes.firstIndex(of: arrow.to) else { return }
    let goesLeft = to < from
    let column = goesLeft ? from - 1 : from
    let top = max(free[column], freeLane[from] - 14, base)
    let y = labels(
      .arrow, row.words, tooltip(row), x: x(column) + TimelineSheet.reach, y: top, width: TimelineSheet.labelWidth,
      goesLeft ? .end : .start)
    free[column] = y + 3
    freeLane[from] = y + 6
    departures[index] = Point(x: x(from), y: y)
    moment(at: y)
  }

  private mutating func land(_ arrow: Arrow, _ row: TimelineRow, _ index: Int) {
    guard let start = departures.removeValue(forKey: index), let to = lanes.firstIndex(of: arrow.to) else { return }
    var end = Point(x: x(to), y: max(base, start.y, freeLane[to]))
    var dies = false
    if case .dies(_, let reason) = arrow.fate {
      dies = true
      end = die(reason, tooltip(row), from: start, to: to)
    } else {
      if end.x == start.x { end.y = max(end.y, start.y + 12) }
      freeLane[to] = end.y + 8
    }
    flights.append(
      Flight(kind: arrow.kind, from: start, to: end, dies: dies, tooltip: tooltip(row)))
    moment(at: end.y)
  }

  /// The end of an arrow that never arrives: a cross before the lane, with the reason below it.
  private mutating func die(_ reason: String, _ tooltip: String, from start: Point, to lane: Int) -> Point {
    let comesFromLeft = start.x < x(lane)
    let column = comesFromLeft ? lane - 1 : lane
    let top = max(free[column], base - 7, start.y)
    free[column] =
      2
      + labels(
        .reason, reason, tooltip, x: x(column) + TimelineSheet.reach, y: top + 14, width: TimelineSheet.labelWidth,
        comesFromLeft ? .end : .start)
    return Point(x: x(lane) + (comesFromLeft ? -20 : 20), y: top + 7)
  }

  // MARK: Texts

  /// Writes a text on at most that many lines. Returns the height at which it ends.
  private mutating func labels(
    _ style: TimelineLabel.Style, _ text: String, _ tooltip: String, x: Int, y: Int, width: Int,
    _ anchor: TimelineLabel.Anchor = .start, most: Int = 3
  ) -> Int {
    let lines = TextMeasure.wrapped(TimelineWords.shown(text), size: TimelineSheet.letters, width: width, lines: most)
    for (index, line) in lines.enumerated() {
      label(style, line, tooltip, x: x, y: y + index * TimelineSheet.line, width: width, anchor)
    }
    return y + lines.count * TimelineSheet.line
  }

  private mutating func label(
    _ style: TimelineLabel.Style, _ text: String, _ tooltip: String, x: Int, y: Int, width: Int,
    _ anchor: TimelineLabel.Anchor = .start
  ) {
    let isLarge = style == .lane || style == .broken
    let size = isLarge ? TimelineSheet.headLetters : TimelineSheet.letters
    let text = TextMeasure.fitted(TimelineWords.shown(text), size: size, width: width)
    let used = min(width, TextMeasure.width(text, size: size))
    let left =
      switch anchor {
      case .start: x
      case .middle: x + (width - used) / 2
      case .end: x + width - used
      }
    let box = TimelineBox(x: left, y: y, width: used, height: style == .lane ? 24 : TimelineSheet.line)
    labels.append(TimelineLabel(box: box, text: text, tooltip: tooltip, style: style, anchor: anchor))
  }

  private func tooltip(_ row: TimelineRow) -> String {
    let detail = row.event.detail.text
    return row.times == 1 && detail.isEmpty ? trace.line(row.event) : "\(trace.line(row.event)) (\(row.words))"
  }
}
