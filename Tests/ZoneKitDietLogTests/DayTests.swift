import Testing
import ZoneKitAppDevice
import ZoneKitDietLog
import ZoneKitRecords

private let newYork = TimeZoneRules.known[2]
private let zurich = TimeZoneRules.known[1]

@Suite struct `the day of an entry` {
  private var device: AppDevice

  init() throws {
    let night = try #require(WallTime(iso8601: "2027-01-16T04:30:00Z"))
    device = try AppDevice(.dietLog, account: "nanny", at: night)
  }

  private mutating func days() throws -> [String?] {
    try device.json("list")["foodLogs"]?.array?.map { $0["loggedDate"]?.string } ?? []
  }

  @Test mutating func `is that of the device's time zone`() throws {
    device.timeZone = newYork
    try device.run("log dinner")
    #expect(try days() == ["2027-01-15"])
    #expect(try device.run("list").first?.contains("LOGGED (America/New_York)") == true)
    #expect(try device.run("list").last?.contains("2027-01-15 23:30") == true)
  }

  @Test mutating func `stays when the device travels and when the entry is edited`() throws {
    device.timeZone = newYork
    try device.run("log dinner")
    device.timeZone = zurich
    try device.run("edit last notes late")
    try device.run("edit last time 07:00")
    try device.run("add last Oats 60 g")
    #expect(try days() == ["2027-01-15"])
    try device.run("edit last day 2027-01-16")
    #expect(try days() == ["2027-01-16"])
  }

  @Test mutating func `never follows from the time of the entry`() throws {
    try device.run("log dinner at -10h")
    #expect(try days() == ["2027-01-16"])
  }

  @Test mutating func `of today is that of the zone`() throws {
    device.timeZone = newYork
    try device.run("log dinner")
    #expect(try device.json("day")["day"]?.string == "2027-01-15")
    device.timeZone = zurich
    #expect(try device.json("day")["foodLogs"]?.array?.count == 0)
  }
}
