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

  @Test(arguments: [
    ("23:30", "2026-08-14T21:30:00.000Z"), ("2026-08-01", "2026-07-31T22:00:00.000Z"),
    ("2026-01-01T00:30", "2025-12-31T23:30:00.000Z"), ("2026-10-25T02:30", "2026-10-25T00:30:00.000Z"),
    ("2026-03-29T02:30:15", "2026-03-29T01:30:15.000Z"), ("-2h", "2026-08-14T04:00:00.000Z"),
    ("2026-08-01T10:00:00Z", "2026-08-01T10:00:00.000Z"),
  ])
  func `a time without a zone is one of the device's zone`(text: String, moment: String) throws {
    let zurich = try TimeZoneRules(name: "Europe/Zurich", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(try TimeWord(parsing: text).resolved(now: morning, in: zurich).iso8601 == moment)
  }

  @Test func `a time of day is one of the day that the device's zone has`() throws {
    let newYork = try TimeZoneRules(name: "America/New_York", posix: "EST5EDT,M3.2.0,M11.1.0")
    let night = try #require(WallTime(iso8601: "2026-08-14T02:00:00Z"))
    #expect(try TimeWord(parsing: "23:30").resolved(now: night, in: newYork).iso8601 == "2026-08-14T03:30:00.000Z")
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
