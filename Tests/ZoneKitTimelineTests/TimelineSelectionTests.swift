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

  @Test func `hellos and their answers are folded, but not one that dies`() {
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

  @Test func `events of one moment stay in the order of the trace`() {
    let events = [Self.mark(5, .edit, "a"), Self.mark(5, .edit, "b"), Self.mark(4, .edit, "c")]
    #expect(Self.texts(TimelineSelection(events, limit: 9)) == ["c", "a", "b"])
  }
}
