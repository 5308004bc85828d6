import ZoneKitRecords
import Testing

struct WallTimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_786_689_065_250, "2026-08-14T06:31:05.250Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `a moment is written in UTC with milliseconds`(milliseconds: Int64, text: String) {
    #expect(WallTime(milliseconds: milliseconds).iso8601 == text)
    #expect(WallTime(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test func `every moment that has a text form is read back as it was`() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let range = WallTime.earliestWritable.milliseconds...WallTime.latestWritable.milliseconds
      let moment = WallTime(milliseconds: .random(in: range, using: &generator))
      #expect(WallTime(iso8601: moment.iso8601) == moment)
    }
  }

  @Test(arguments: [
    ("2026-08-14", 1_786_665_600_000), ("2026-08-14T08:31:05+02:00", 1_786_689_065_000),
    ("2026-08-14T06:31:05.5Z", 1_786_689_065_500), ("2026-08-14T06:31:05.123987Z", 1_786_689_065_123),
  ])
  func `dates, offsets and fractions of any length are read`(text: String, milliseconds: Int64) {
    #expect(WallTime(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026", "2026-13-01", "2026-02-29", "2026-08-14T", "2026-08-14T06:31", "2026-08-14T06:31:05",
    "2026-08-14 06:31:05Z",
    "2026-08-14T24:00:00Z", "2026-08-14T06:31:60Z", "2026-08-14T06:31:05.Z", "2026-08-14T06:31:05Zx", "0000-01-01",
    "２０２６-08-14",
  ])
  func `what is no date is refused`(text: String) {
    #expect(WallTime(iso8601: text) == nil)
  }

  @Test func `a moment beyond the calendar is written as its nearest end and arithmetic stops at the ends`() {
    #expect(WallTime(milliseconds: .max).iso8601 == "9999-12-31T23:59:59.999Z")
    #expect(WallTime(milliseconds: .max).advanced(byMilliseconds: 1).milliseconds == .max)
    #expect(WallTime(milliseconds: .min).advanced(byMilliseconds: -1).milliseconds == .min)
  }
}
