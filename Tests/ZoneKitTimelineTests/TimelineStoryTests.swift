import Testing
import ZoneKitRecords

@testable import ZoneKitTimeline

/// A timeline as one HTML file.
struct TimelineStoryTests {
  @Test func `a page holds the picture and the text, and loads nothing`() {
    let html = Timeline(TimelinePictureTests.small, title: "scenario small").html
    let svg = TimelineGolden.small.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(html.hasPrefix("<!doctype html>\n"))
    #expect(html.contains(svg))
    #expect(html.contains("a &amp; b differ"))
    #expect(html.contains(#"content="default-src 'none'; "#))
    #expect(!html.contains("src=") && !html.contains("@import") && !html.contains("<link"))
  }

  @Test func `texts cannot leave their place`() {
    let nasty = "</pre></svg></style><script>alert(1)</script><img src=x onerror=alert(2)>"
    let trace = TimelineSamples.trace([TimelineSamples.mark(1, .device(0), .step, nasty)], devices: [nasty])
    let html = Timeline(trace, title: nasty).html
    #expect(html.split(separator: "<script>", omittingEmptySubsequences: false).count == 2)
    #expect(!html.contains("<img"))
  }
}
