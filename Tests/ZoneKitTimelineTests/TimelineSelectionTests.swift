import ZoneKitRecords
import Testing

@testable import ZoneKitTimeline

struct TimelineSelectionTests {
  private static func texts(_ selection: TimelineSelection) -> [String] {
    selection.entries.map {
      switch $0 {
      case .row(let row): row.words
      case .leftOut(_, let count): "-\(count)"
      }
    }
  }

  private static func mark(_ at: Int64, _ kind: Mark.Kind, _ text: String) -> TraceEvent {
    TimelineSamples.mark(at, .device(0), kind, text)
  }

  @Test func `the last rows before the divergence are kept, and all steps`() {
    let events =
      [Self.mark(0, .step, "S"), Self.mark(1, .edit, "1"), Self.mark(2, .edit, "2"), Self.mark(3, .step, "T")]
      + (3...6).map { Self.mark(Int64($0), .edit, "\($0)") }
      + [Self.mark(7, .broken, "B"), Self.mark(8, .edit, "8"), Self.mark(9, .step, "U")]
    let selection = TimelineSelection(events, limit: 2)
    #expect(Self.texts(selection) == ["S", "-2", "T", "-2", "5", "6", "B", "-1", "U"])
    #expect(selection.leftOut == 5)
  }

  @Test(arguments: [(7, 0), (6, 1), (0, 7), (-1, 7)]) func `the limit is kept to the row`(limit: Int, leftOut: Int) {
    let selection = TimelineSelection((1...7).map { Self.mark($0, .edit, "\($0)") }, limit: limit)
    #expect(selection.leftOut == leftOut)
  }

  @Test func `what comes after the divergence is kept where there is room`() {
    let events = [
      Self.mark(0, .edit, "0"), Self.mark(1, .broken, "B"), Self.mark(2, .edit, "2"), Self.mark(3, .edit, "3"),
    ]
    #expect(Self.texts(TimelineSelection(events, limit: 2)) == ["0", "B", "2", "-1"])
  }

  @Test func `heartbeats are folded until something else happens in their lane`() {
    let beat = { (at: Int64) in Self.mark(at, .fact, "beat") }
    let events = [
      beat(0), TimelineSamples.mark(5, .cloud, .commit, "c"), beat(1000), Self.mark(1500, .edit, "e"), beat(2000),
    ]
    let selection = TimelineSelection(events, limit: 9)
    #expect(Self.texts(selection) == ["beat ×2 until 0:01.000", "c", "e", "beat"])
    #expect(selection.folded == 1)
  }

  @Test func `hellos and their answers are folded, and those that die apart from them`() {
    let device = TraceEvent.Lane.device(0)
    let pair = { (at: Int64) in
      [
        TimelineSamples.arrow(at, .hello, device, .gateway, "hi", arrives: at + 1),
        TimelineSamples.arrow(at + 1, .hello, .gateway, device, "ho", arrives: at + 2),
      ]
    }
    let lost = TimelineSamples.arrow(30, .hello, device, .gateway, "hi", dies: 31, "lost")
    let selection = TimelineSelection(pair(0) + pair(10) + pair(20) + [lost], limit: 9)
    #expect(Self.texts(selection) == ["hi ×3 until 0:00.020", "ho ×3 until 0:00.021", "hi"])
  }

  @Test func `retries that differ in numbers only are one row each`() {
    let device = TraceEvent.Lane.device(0)
    let retry = { (at: Int64, wait: Int) in
      [
        TimelineSamples.arrow(at, .request, device, .cloud, "open", dies: at + 1, "lost"),
        Self.mark(at + 2, .push, "tried again in \(wait) ms"),
      ]
    }
    let events = retry(0, 986) + retry(1000, 2070) + retry(3000, 4294) + [Self.mark(9000, .edit, "e")]
    #expect(
      Self.texts(TimelineSelection(events, limit: 9)) == [
        "open ×3 until 0:03.000", "tried again in 986 ms ×3 until 0:03.002", "e",
      ])
  }

  @Test func `requests without news are counted at the end of their sync`() {
    let events =
      [Self.sync(0, "sync: push", .syncBegins)] + Self.exchange(1, .setUp) + Self.exchange(3, .idle)
      + Self.exchange(5, .usual) + Self.exchange(7, .idle) + [
        Self.sync(9, "synced, 1 records", .syncEnds(isIdle: false))
      ]
    let selection = TimelineSelection(events, limit: 9)
    #expect(
      Self.texts(selection) == [
        "sync: push", "ask 5", "answer 5", "synced, 1 records · 1 request of the set-up, 2 requests without news",
      ])
    #expect(selection.folded == 6)
  }

  @Test func `a sync that brought nothing is one row`() {
    let events =
      [Self.sync(0, "sync: push", .syncBegins)] + Self.exchange(1, .idle)
      + [Self.sync(3, "synced, 0 records", .syncEnds(isIdle: true))]
    #expect(
      Self.texts(TimelineSelection(events, limit: 9)) == ["synced, 0 records · sync: push, 1 request without news"])
  }

  @Test func `an answer that dies is shown with its request, though it says nothing new`() {
    let device = TraceEvent.Lane.device(0)
    var answer = Arrow(.answer, from: .cloud, to: device, "answer", .dies(TimelineSamples.at(3), "lost"))
    answer.detail = TraceDetail(.idle)
    let events =
      [Self.sync(0, "sync: push", .syncBegins), TimelineSamples.arrow(1, .request, device, .cloud, "ask", arrives: 2)]
      + [TraceEvent(at: TimelineSamples.at(2), .arrow(answer)), Self.sync(9, "failed", .syncEnds(isIdle: false))]
    #expect(Self.texts(TimelineSelection(events, limit: 9)) == ["sync: push", "ask", "answer", "failed"])
  }

  @Test func `a repeated step is one row with what was written in it`() {
    let round = { (at: Int64) in
      [Self.step(at, "A edits", line: 7), Self.mark(at, .edit, "x\(at)"), Self.step(at + 1, "wait 1s", line: 8)]
    }
    let events = round(0) + round(10) + round(20) + [Self.step(30, "wait 1s", line: 9)]
    #expect(
      Self.texts(TimelineSelection(events, limit: 9)) == [
        "A edits ×3 until 0:00.020", "x0 ×3 until 0:00.020", "wait 1s ×3 until 0:00.021", "wait 1s",
      ])
  }

  @Test func `the last edit of the records that a broken expectation is about is the moment of divergence`() {
    let edit = { (at: Int64, record: String) in Self.edit(at, record) }
    var broken = Mark(.cloud, .broken, "they differ")
    broken.detail = TraceDetail(records: ["r1"])
    let events = [edit(1, "r1"), edit(2, "r1"), edit(3, "r2")] + [TraceEvent(at: TimelineSamples.at(4), .mark(broken))]
    let selection = TimelineSelection(events, limit: 0)
    #expect(selection.divergence?.event.at == TimelineSamples.at(2))
    #expect(Self.texts(selection) == ["r1", "r1", "-1", "they differ"])
  }

  @Test func `the records of a violation are those that its text names`() {
    let events = [Self.edit(1, "r1"), Self.edit(2, "r2"), Self.mark(3, .broken, "record Zone/r1 is lost")]
    #expect(TimelineSelection(events, limit: 9).divergence?.event.at == TimelineSamples.at(1))
  }

  private static func sync(_ at: Int64, _ text: String, _ role: TraceDetail.Role) -> TraceEvent {
    TraceEvent(at: TimelineSamples.at(at), .mark(Mark(.device(0), .sync, text, TraceDetail(role))))
  }

  private static func step(_ at: Int64, _ text: String, line: Int) -> TraceEvent {
    TraceEvent(at: TimelineSamples.at(at), .mark(Mark(.device(0), .step, text, TraceDetail(.step(line: line)))))
  }

  private static func edit(_ at: Int64, _ record: String) -> TraceEvent {
    TraceEvent(at: TimelineSamples.at(at), .mark(Mark(.device(0), .edit, record, TraceDetail(records: [record]))))
  }

  private static func exchange(_ at: Int64, _ role: TraceDetail.Role) -> [TraceEvent] {
    let device = TraceEvent.Lane.device(0)
    let due = TimelineSamples.at(at + 1)
    let answer = Arrow(.answer, from: .cloud, to: device, "answer \(at)", .arrives(due), TraceDetail(role))
    return [
      TimelineSamples.arrow(at, .request, device, .cloud, "ask \(at)", arrives: at + 1),
      TraceEvent(at: due, .arrow(answer)),
    ]
  }

  @Test func `events of one moment stay in the order of the trace`() {
    let events = [Self.mark(5, .edit, "a"), Self.mark(5, .edit, "b"), Self.mark(4, .edit, "c")]
    #expect(Self.texts(TimelineSelection(events, limit: 9)) == ["c", "a", "b"])
  }
}
