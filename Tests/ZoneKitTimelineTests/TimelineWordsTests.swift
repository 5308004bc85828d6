import Testing

@testable import ZoneKitTimeline

struct TimelineWordsTests {
  @Test(arguments: [
    (0, "0:00.000"), (61_250, "1:01.250"), (7_200_000, "2:00:00.000"), (86_400_001, "1 d 00:00:00.001"), (-5, "-5 ms"),
  ]) func `moments`(milliseconds: Int64, text: String) {
    #expect(TimelineWords.moment(milliseconds) == text)
  }

  @Test(arguments: [
    (12, "12 ms"), (45_900, "45 s"), (720_000, "12 min"), (725_000, "12 min 5 s"), (3_900_000, "1 h 5 min"),
    (86_400_000, "1 d"), (0, "0 ms"),
  ]) func `spells`(milliseconds: Int64, text: String) {
    #expect(TimelineWords.spell(milliseconds) == text)
  }

  @Test func `what a screen cannot show is replaced by a picture of it`() {
    #expect(TimelineWords.shown("a\n\u{0}\u{1b}b\u{7f}\u{202e}\u{ffff}") == "a␊␀␛b␡\u{FFFD}\u{FFFD}")
    #expect(TimelineWords.shown("Zoë 👩‍👧 \"<&>") == "Zoë 👩‍👧 \"<&>")
  }

  @Test func `a text is cut to its width`() {
    #expect(TextMeasure.fitted("short", size: 12, width: 100) == "short")
    let cut = TextMeasure.fitted("a rather long text that does not fit", size: 12, width: 100)
    #expect(cut.hasSuffix("…") && TextMeasure.width(cut, size: 12) <= 100)
  }

  @Test func `a text is wrapped at spaces, long words anywhere, and cut in the last line`() {
    #expect(TextMeasure.wrapped("one two", size: 10, width: 30, lines: 3) == ["one", "two"])
    #expect(TextMeasure.wrapped("", size: 10, width: 30, lines: 3) == [""])
    let lines = TextMeasure.wrapped(String(repeating: "n", count: 50), size: 10, width: 30, lines: 3)
    #expect(lines.count == 3 && lines[2].hasSuffix("…"))
    #expect(lines.allSatisfy { TextMeasure.width($0, size: 10) <= 30 })
  }

  @Test func `words of life and links interrupt a line, and the strongest reason shows`() {
    var condition = LaneCondition(before: [])
    var looks: [LaneCondition.Look] = []
    for mark in [
      Mark(.cloud, .life, "background"), Mark(.cloud, .life, "runs in the background"),
      Mark(.cloud, .life, "suspended"), Mark(.cloud, .link, "offline: airplane"), Mark(.cloud, .life, "force-quit"),
      Mark(.cloud, .fact, "online"), Mark(.cloud, .start, "again"), Mark(.cloud, .link, "online"),
      Mark(.cloud, .life, "to the foreground"),
    ] {
      condition.take(mark)
      looks.append(condition.look)
    }
    #expect(looks == [.background, .running, .background, .offline, .dead, .dead, .offline, .background, .running])
  }
}
