import ZoneKitDeviceHost
import ZoneKitRecords
import Testing

private let morning = WallTime(milliseconds: 1_786_687_200_000)

struct TimeWordTests {
  @Test(arguments: [
    ("now", "2026-08-14T06:00:00.000Z"),
    ("00:00", "2026-08-14T00:00:00.000Z"),
    ("23:59", "2026-08-14T23:59:00.000Z"),
    ("6:05", "2026-08-14T06:05:00.000Z"),
    ("-90m", "2026-08-14T04:30:00.000Z"),
    ("-2h", "2026-08-14T04:00:00.000Z"),
    ("-1h30m", "2026-08-14T04:30:00.000Z"),
    ("-45s", "2026-08-14T05:59:15.000Z"),
    ("-1d", "2026-08-13T06:00:00.000Z"),
    ("2026-08-01", "2026-08-01T00:00:00.000Z"),
    ("2026-08-01T10:00:00.250Z", "2026-08-01T10:00:00.250Z"),
    ("2026-08-01T10:00:00+02:00", "2026-08-01T08:00:00.000Z"),
  ])
  func `a time resolves to the moment that it names`(text: String, moment: String) throws {
    #expect(try TimeWord(parsing: text).resolved(now: morning).iso8601 == moment)
  }

  @Test(arguments: ["", "24:00", "12:60", "12", "1:2", "-", "-90", "-m", "-9w", "+2h", "2026-13-01", "-1234567890m"])
  func `other text is no time`(text: String) {
    #expect(throws: AppRefusal.self) { try TimeWord(parsing: text) }
  }

  @Test func `a time of day before 1970 is of that day`() throws {
    let dusk = WallTime(milliseconds: -1)
    #expect(try TimeWord(parsing: "12:00").resolved(now: dusk).iso8601 == "1969-12-31T12:00:00.000Z")
  }

  @Test func `a distance that reaches before all time stops there`() throws {
    let earliest = WallTime(milliseconds: .min)
    #expect(try TimeWord(parsing: "-999999999d").resolved(now: earliest) == earliest)
  }
}
