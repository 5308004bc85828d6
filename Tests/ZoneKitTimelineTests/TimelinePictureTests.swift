import ZoneKitRecords
import Testing

@testable import ZoneKitTimeline

struct TimelinePictureTests {
  static let small = TimelineSamples.trace(
    [
      TimelineSamples.mark(0, .device(0), .step, "A phone <sleeps>"),
      TimelineSamples.mark(5, .device(0), .life, "background"),
      TimelineSamples.arrow(60_000, .push, .gateway, .device(0), "family", dies: 60_040, "force-quit"),
      TimelineSamples.mark(60_050, .cloud, .broken, "a & b differ"),
    ], devices: ["phone"])

  @Test func `a small trace is drawn so`() {
    #expect(Timeline(Self.small, title: "scenario small").svg == TimelineGolden.small)
  }

  @Test(arguments: TimelineLayoutTests.traces.indices) func `a picture is well-formed, and the same twice`(number: Int)
  {
    let trace = TimelineLayoutTests.traces[number]
    let svg = Timeline(trace, title: "seed 7", limit: 120).svg
    #expect(Self.fault(in: svg) == nil)
    #expect(Timeline(trace, title: "seed 7", limit: 120).svg == svg)
    #expect(svg.contains("seed 7 · digest \(trace.digest)</text>"))
  }

  @Test func `texts may hold any character`() {
    let nasty = "</text><script>alert(1)</script>\u{0}\u{1b}[31m&amp; \"'`]]>\u{ffff}\u{202e}\r\n\u{301}\u{301}"
    let device = TraceEvent.Lane.device(0)
    let trace = TimelineSamples.trace(
      Mark.Kind.allCases.map { TimelineSamples.mark(1, device, $0, nasty) }
        + Arrow.Kind.allCases.flatMap {
          [
            TimelineSamples.arrow(2, $0, device, .cloud, nasty, dies: 3, nasty),
            TimelineSamples.arrow(2, $0, .gateway, .gateway, nasty, arrives: 1),
          ]
        }, devices: [nasty])
    let svg = Timeline(trace, title: nasty).svg
    #expect(Self.fault(in: svg) == nil)
    #expect(!svg.contains("<script"))
    #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0xffff })
  }

  @Test func `every kind has a shape, and every arrow dashes, of its own`() {
    let shapes = Mark.Kind.allCases.map(TimelineGlyph.shape)
    #expect(Set(shapes).count == shapes.count)
    let dashes = Arrow.Kind.allCases.map { TimelineGlyph.line($0).dash }
    #expect(Set(dashes).count == dashes.count)
  }

  @Test func `a picture reports what it leaves out`() {
    let svg = Timeline(TimelineSamples.swarm(seed: 3, events: 200), limit: 50).svg
    #expect(svg.contains(" left out, "))
    #expect(svg.contains(">Broken at "))
  }

  @Test func `an empty trace has a picture with a note`() {
    let svg = Timeline(Trace(keepsEvents: true)).svg
    #expect(Self.fault(in: svg) == nil)
    #expect(svg.contains("nothing happened") && svg.contains("0 events"))
  }

  @Test func `a trace that kept no events has a note`() {
    var trace = Trace()
    trace.add(TimelineSamples.mark(0, .cloud, .edit, "x"))
    #expect(Timeline(trace).svg.contains("1 event, 1 of them not kept"))
  }

  /// The first thing that is wrong with a document as XML, as far as this product writes it.
  static func fault(in document: String) -> String? {
    var open: [Substring] = []
    var rest = document[...].dropFirst(#"<?xml version="1.0" encoding="UTF-8"?>"#.count)
    var roots = 0
    while let start = rest.firstIndex(of: "<") {
      if let fault = faultOfText(rest[..<start]) { return fault }
      guard let end = rest[start...].firstIndex(of: ">") else { return "a tag without end" }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else { return "</\(tag)> closes another" }
        continue
      }
      guard !tag.contains("<"), tag.split(separator: "\"", omittingEmptySubsequences: false).count % 2 == 1 else {
        return "quotes in \(tag)"
      }
      if open.isEmpty { roots += 1 }
      if !tag.hasSuffix("/") { open.append(tag.prefix { $0 != " " }) }
    }
    return open.isEmpty && roots == 1 ? nil : "\(open) open, \(roots) roots"
  }

  private static func faultOfText(_ text: Substring) -> String? {
    for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
    where !["amp;", "lt;", "gt;", "quot;"].contains(where: { part.hasPrefix($0) }) {
      return "& in \(text)"
    }
    return text.contains(">") ? "> in \(text)" : nil
  }
}
