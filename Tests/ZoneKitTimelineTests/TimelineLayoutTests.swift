import ZoneKitRecords
import Testing

@testable import ZoneKitTimeline

struct TimelineLayoutTests {
  static let traces: [Trace] =
    [TimelineSamples.droppedPush, TimelineSamples.conflict, TimelineSamples.crash, Trace(keepsEvents: true)]
    + (1...30).map { TimelineSamples.swarm(seed: $0, events: 200) }

  @Test(arguments: traces.indices) func `no two labels overlap, and none leaves the sheet`(number: Int) {
    let trace = Self.traces[number]
    let layout = Timeline(trace, limit: 150).layout
    for (index, label) in layout.labels.enumerated() {
      let box = label.box
      #expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= layout.width && box.y + box.height <= layout.height)
      let met = layout.labels[(index + 1)...].first { $0.box.overlaps(box) }
      #expect(met == nil, "\(label) meets \(String(describing: met))")
    }
  }

  @Test(arguments: traces.indices) func `no label covers a sign or the cross of a dead arrow`(number: Int) {
    let trace = Self.traces[number]
    let layout = Timeline(trace).layout
    let points = layout.signs.map(\.at) + layout.flights.filter(\.dies).map(\.to)
    for point in points {
      let box = TimelineBox(x: point.x - 5, y: point.y - 5, width: 10, height: 10)
      let met = layout.labels.first { $0.box.overlaps(box) }
      #expect(met == nil, "\(point) is under \(String(describing: met))")
    }
  }

  @Test(arguments: traces.indices) func `a later moment is below an earlier one`(number: Int) {
    let trace = Self.traces[number]
    let layout = Timeline(trace).layout
    var points: [(at: Int64, y: Int)] = []
    for sign in layout.signs { points.append((Self.number(sign.tooltip.prefix { $0 != " " }), sign.at.y)) }
    for flight in layout.flights where !flight.tooltip.contains("×") {
      points.append((Self.number(flight.tooltip.prefix { $0 != " " }), flight.from.y))
      guard !flight.dies, let end = flight.tooltip.lastIndex(of: "@") else { continue }
      points.append((Self.number(flight.tooltip[end...].dropFirst()), flight.to.y))
    }
    points.sort { ($0.at, $0.y) < ($1.at, $1.y) }
    for (first, second) in zip(points, points.dropFirst()) where first.at < second.at {
      #expect(first.y < second.y, "\(first) \(second)")
    }
  }

  @Test func `an arrow that dies ends short of its lane, with the reason near`() throws {
    let layout = Timeline(TimelineSamples.droppedPush).layout
    let dead = try #require(layout.flights.first { $0.dies })
    #expect(dead.kind == .push)
    #expect(dead.to.x == layout.x(1) + 20)
    let reason = layout.labels.filter { $0.style == .reason }.map(\.text)
    #expect(reason == ["lost: push budget of the hour", "spent"])
  }

  @Test func `a quiet spell is cut out and named`() {
    let layout = Timeline(TimelineSamples.droppedPush).layout
    #expect(layout.labels.filter { $0.style == .gap }.map(\.text) == ["58 s later", "12 min 19 s later"])
    #expect(layout.height < 900)
  }

  @Test func `a dead process interrupts the line of its lane`() {
    let layout = Timeline(TimelineSamples.crash).layout
    #expect(layout.turns[1].map(\.look) == [.running, .dead, .running])
    #expect(layout.turns[0].map(\.look) == [.running])
  }

  @Test func `a change that is left out still shows in the line`() {
    let trace = TimelineSamples.trace(
      [
        TimelineSamples.mark(0, .device(0), .crash, "power cut"), TimelineSamples.mark(1, .cloud, .commit, "1"),
        TimelineSamples.mark(2, .cloud, .commit, "2"),
      ], devices: ["a"])
    #expect(Timeline(trace, limit: 1).layout.turns[0].map(\.look) == [.running, .dead])
  }

  @Test func `devices that no name was given for have lanes`() {
    let trace = TimelineSamples.trace([TimelineSamples.mark(0, .device(4), .edit, "x")], devices: ["a"])
    #expect(Timeline(trace).lanes == [.device(0), .device(4), .cloud])
  }

  @Test func `the gateway has a lane only if something happens there`() {
    let trace = TimelineSamples.trace([TimelineSamples.mark(0, .gateway, .push, "x")], devices: ["a"])
    #expect(Timeline(trace).lanes == [.device(0), .cloud, .gateway])
  }

  @Test func `a cut link shows in the line until it is healed`() {
    let trace = TimelineSamples.trace(
      [
        TimelineSamples.mark(0, .device(0), .link, "up 5-40 ms; down 5-40 ms; push cut"),
        TimelineSamples.mark(9, .device(0), .link, "up 5-40 ms; down 5-40 ms; push 5-40 ms"),
      ], devices: ["a"])
    #expect(Timeline(trace).layout.turns[0].map(\.look) == [.running, .cut, .running])
  }

  @Test(arguments: 1...10) func `a picture of many events is no taller than the limit`(seed: UInt64) {
    let layout = Timeline(TimelineSamples.swarm(seed: seed, events: 900, steps: 10)).layout
    #expect(layout.height <= TimelineSheet.tallest)
    #expect(layout.height > TimelineSheet.tallest * 3 / 4)
  }

  @Test func `the banner says what is broken, and since when`() {
    var broken = Mark(.cloud, .broken, "they differ")
    broken.detail = TraceDetail(records: ["r1"])
    let edit = Mark(.device(0), .edit, "feeding r1", TraceDetail(records: ["r1"]))
    let trace = TimelineSamples.trace(
      [TraceEvent(at: TimelineSamples.at(5), .mark(edit)), TraceEvent(at: TimelineSamples.at(9), .mark(broken))],
      devices: ["a"])
    let layout = Timeline(trace).layout
    #expect(
      layout.banner == ["Broken at 0:00.009, cloud: they differ", "They differ since 0:00.005: feeding r1"])
    #expect(layout.bands.map(\.kind) == [.divergence, .broken])
  }

  @Test func `texts that do not fit are cut, and whole in the tooltip`() throws {
    let text = String(repeating: "feeding ", count: 40)
    let layout = Timeline(TimelineSamples.trace([TimelineSamples.mark(5, .cloud, .merge, text)], devices: [])).layout
    let lines = layout.labels.filter { $0.style == .mark }
    #expect(lines.count == 3)
    #expect(try #require(lines.last).text.hasSuffix("…"))
    #expect(lines.allSatisfy { $0.tooltip == "5 cloud merge: " + text })
  }

  @Test func `moments at both ends of the scale are laid out`() {
    let events = [Int64.min, -1, 0, .max].map { TimelineSamples.mark($0, .cloud, .edit, "x") }
    #expect(Timeline(TimelineSamples.trace(events, devices: [])).layout.signs.count == 4)
  }

  private static func number(_ text: some StringProtocol) -> Int64 { Int64(String(text)) ?? -1 }
}
