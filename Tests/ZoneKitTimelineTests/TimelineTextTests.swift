import ZoneKitRecords
import Testing

@testable import ZoneKitTimeline

struct TimelineTextTests {
  @Test func `a small trace is written so`() {
    #expect(
      Timeline(TimelinePictureTests.small, title: "scenario small").text == """
        scenario small · digest \(TimelinePictureTests.small.digest)
        4 events, until 1:00.050
        0:00.000                   ── A phone <sleeps>
        0:00.005  phone            life: background
                  ⋮ 59 s
        1:00.000  gateway → phone  ✗ force-quit 1:00.040 — push: family
        1:00.050  cloud            !! BROKEN: a & b differ

        """)
  }

  @Test func `lines are one line each, and cut`() {
    let text = "a\nb" + String(repeating: "c", count: 300)
    let lines = TimelineText(
      Timeline(TimelineSamples.trace([TimelineSamples.mark(0, .cloud, .edit, text)], devices: []))
    ).lines
    #expect(lines.count == 3)
    #expect(lines[2].count < 130 && lines[2].hasSuffix("…") && lines[2].contains("a␊b"))
  }

  @Test func `what the limit leaves out is counted`() {
    let text = Timeline(TimelineSamples.swarm(seed: 3, events: 200), limit: 20).text
    #expect(text.contains("events left out"))
    #expect(text.contains("!! BROKEN: dad's iPad lost"))
  }

  @Test func `an empty trace has a heading`() {
    #expect(Timeline(Trace()).text == "digest cbf29ce484222325\n0 events\n")
  }
}
