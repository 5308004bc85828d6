import Testing
import ZoneKitMetrics

@Suite struct `the text of metrics` {
  @Test func `has a help text, a type and a line for each sample`() {
    var text = MetricText()
    text.add(
      .counter, "things_total", "Things.",
      [([("kind", "a")], .integer(1)), ([("kind", "b"), ("of", "c")], .integer(2))])
    #expect(
      text.text == """
        # HELP zonekit_things_total Things.
        # TYPE zonekit_things_total counter
        zonekit_things_total{kind="a"} 1
        zonekit_things_total{kind="b",of="c"} 2

        """)
  }

  @Test func `leaves a family without samples out`() {
    var text = MetricText()
    text.add(.gauge, "things", "Things.", [])
    text.add("waits_seconds", "Waits.", [])
    #expect(text.text == "")
  }

  @Test func `escapes what would end a label or a line`() {
    var text = MetricText()
    text.add(.gauge, "things", "A \\ and\na line, \"quoted\".", [([("kind", "a\"b\\c\nd")], .integer(1))])
    #expect(
      text.text == """
        # HELP zonekit_things A \\\\ and\\na line, "quoted".
        # TYPE zonekit_things gauge
        zonekit_things{kind="a\\"b\\\\c\\nd"} 1

        """)
  }

  @Test func `has cumulative buckets, the sum in seconds and the number of a histogram`() {
    var histogram = DurationHistogram()
    histogram.record(300_000)
    histogram.record(20_000_000_000)
    var text = MetricText()
    text.add("waits_seconds", "Waits.", [([("of", "a")], histogram)])
    let lines = text.text.split(separator: "\n")
    #expect(lines.count == 2 + DurationHistogram.bounds.count + 3)
    #expect(lines[3] == "zonekit_waits_seconds_bucket{of=\"a\",le=\"0.00025\"} 0")
    #expect(lines[4] == "zonekit_waits_seconds_bucket{of=\"a\",le=\"0.0005\"} 1")
    #expect(
      lines.suffix(3) == [
        "zonekit_waits_seconds_bucket{of=\"a\",le=\"+Inf\"} 2", "zonekit_waits_seconds_sum{of=\"a\"} 20.0003",
        "zonekit_waits_seconds_count{of=\"a\"} 2",
      ])
  }

  @Test(
    arguments: [
      (0, "0"), (1, "0.000000001"), (100_000, "0.0001"), (1_000_000_000, "1"), (1_500_000_000, "1.5"),
      (-1_500_000_000, "-1.5"), (Int64.max, "9223372036.854775807"),
    ] as [(Int64, String)])
  func `writes nanoseconds as exact seconds`(nanoseconds: Int64, text: String) {
    #expect(MetricValue.nanoseconds(nanoseconds).text == text)
  }
}
