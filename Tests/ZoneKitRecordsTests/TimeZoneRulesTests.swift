import Foundation
import Testing
import ZoneKitRecords

private let zurich = zone("Europe/Zurich", "CET-1CEST,M3.5.0,M10.5.0/3")

private func zone(_ name: String, _ rule: String) -> TimeZoneRules {
  do {
    return try TimeZoneRules(name: name, posix: rule)
  } catch {
    preconditionFailure("\(error)")
  }
}

private func time(_ text: String) -> WallTime { WallTime(iso8601: text) ?? WallTime(milliseconds: 0) }

/// A compiled zone of version 2 with an empty old block: one kind of time before and one after each transition.
private func compiled(
  _ transitions: [(at: Int64, kind: UInt8)], offsets: [Int32], rule: String, leapSeconds: Int32 = 0
) -> [UInt8] {
  func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  func head(_ counts: [Int32]) -> [UInt8] {
    Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts.flatMap(bytes)
  }
  return head([0, 0, 0, 0, 1, 1]) + bytes(Int32(0)) + [0, 0, 0]
    + head([0, 0, leapSeconds, Int32(transitions.count), Int32(offsets.count), 4])
    + transitions.flatMap { bytes($0.at) } + transitions.map(\.kind)
    + offsets.flatMap { bytes($0) + [0, 0] } + Array("LMT\0".utf8)
    + [UInt8](repeating: 0, count: Int(leapSeconds) * 12) + Array("\n\(rule)\n".utf8)
}

@Suite struct `the rules of a time zone` {
  @Test(arguments: [
    ("2027-01-15T22:59:59Z", "2027-01-15"), ("2027-01-15T23:00:00Z", "2027-01-16"),
    ("2027-07-15T21:59:59Z", "2027-07-15"), ("2027-07-15T22:00:00Z", "2027-07-16"),
    ("2027-10-30T22:00:00Z", "2027-10-31"), ("2027-10-31T22:59:59Z", "2027-10-31"),
    ("2027-03-27T23:00:00Z", "2027-03-28"), ("2027-03-28T21:59:59Z", "2027-03-28"),
  ])
  func `give a day that begins and ends at the zone's midnight`(moment: String, day: String) {
    #expect(zurich.day(of: time(moment)) == day)
  }

  @Test(arguments: [
    ("2027-10-31T01:59:00Z", "2027-10-30T23:59:00.000Z"),
    ("2027-10-31T02:30:00Z", "2027-10-31T00:30:00.000Z"),
    ("2027-10-31T03:00:00Z", "2027-10-31T02:00:00.000Z"),
    ("2027-03-28T01:59:59Z", "2027-03-28T00:59:59.000Z"),
    ("2027-03-28T02:30:00Z", "2027-03-28T01:30:00.000Z"),
    ("2027-03-28T03:00:00Z", "2027-03-28T01:00:00.000Z"),
  ])
  func `read a time that comes twice as the first and move a skipped one forward`(local: String, moment: String) {
    #expect(zurich.time(ofLocal: time(local)).iso8601 == moment)
  }

  @Test(arguments: [
    ("<+0545>-5:45", "2027-01-01T00:00:00Z", 20_700), ("<+13>-13", "2027-01-01T00:00:00Z", 46_800),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-01-01T00:00:00Z", 46_800),
    ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-07-01T00:00:00Z", 43_200),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-07-01T00:00:00Z", 3_600),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-01-01T00:00:00Z", 0),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T00:59:59Z", -7_200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T01:00:00Z", -3_600),
    ("XXX3YYY2,0/0,J365/25", "2027-01-01T03:00:00Z", -7_200), ("XXX3YYY,J60/0,300/0", "2028-03-01T02:59:59Z", -10_800),
    ("XXX3YYY,J60/0,300/0", "2028-03-01T03:00:00Z", -7_200), ("XXX3YYY,59/0,300/0", "2028-02-29T03:00:00Z", -7_200),
  ])
  func `follow a POSIX rule`(rule: String, moment: String, seconds: Int64) {
    #expect(zone("X", rule).offset(at: time(moment)) == seconds * 1000)
  }

  @Test(arguments: [
    "", "C", "CET", "CET-", "CET-25", "CET-1CEST,", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,M3.5.0,M10.5.0x", "<CET-1", "CET-1CEST,J0,J365",
    "CET-99999999999999999999",
  ])
  func `are not made from other text`(rule: String) {
    #expect(throws: TimeZoneError.self) { try TimeZoneRules(name: "X", posix: rule) }
  }

  @Test func `come from a compiled file and follow its rule after the last transition`() throws {
    let bytes = compiled([(-1_000, 1), (1_000, 0)], offsets: [2_040, 7_200], rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    let zone = try TimeZoneRules(name: "X", compiled: bytes)
    #expect(zone.offset(at: WallTime(milliseconds: -1_000_001)) == 2_040_000)
    #expect(zone.offset(at: WallTime(milliseconds: -1_000_000)) == 7_200_000)
    #expect(zone.offset(at: WallTime(milliseconds: 999_999)) == 7_200_000)
    #expect(zone.offset(at: time("2027-07-01T00:00:00Z")) == 7_200_000)
    #expect(zone.offset(at: time("2027-12-01T00:00:00Z")) == 3_600_000)
  }

  @Test func `are refused where a file is cut, counts leap seconds or has transitions out of order`() {
    let good = compiled([(-1_000, 1), (1_000, 0)], offsets: [2_040, 7_200], rule: "CET-1")
    for count in good.indices {
      #expect(throws: TimeZoneError.self) { try TimeZoneRules(name: "X", compiled: Array(good.prefix(count))) }
    }
    for bad in [
      compiled([(1_000, 1), (-1_000, 0)], offsets: [2_040, 7_200], rule: "CET-1"),
      compiled([(1_000, 2)], offsets: [2_040, 7_200], rule: "CET-1"),
      compiled([(1_000, 1)], offsets: [2_040, 7_200], rule: "CET-1", leapSeconds: 1),
      compiled([], offsets: [100_000], rule: ""), Array("no zone".utf8),
    ] {
      #expect(throws: TimeZoneError.self) { try TimeZoneRules(name: "X", compiled: bad) }
    }
  }

  @Test func `never stop the program on damaged bytes`() {
    var random = SplitMix64(seed: 29)
    let good = compiled([(-1_000, 1), (1_000, 0)], offsets: [2_040, 7_200], rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    var readable = 0
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0...random.next() % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let zone = try? TimeZoneRules(name: "X", compiled: bytes) else { continue }
      readable += 1
      let time = WallTime(milliseconds: Int64(bitPattern: random.next()))
      #expect(zone.offset(at: time).magnitude < 168 * 3_600_000)
      _ = zone.time(ofLocal: time)
    }
    #expect(readable > 0 && readable < 20_000)
  }

  @Test func `agree with Foundation about the zones of random worlds`() throws {
    var random = SplitMix64(seed: 7)
    let start = time("2008-01-01T00:00:00Z").milliseconds
    for zone in TimeZoneRules.known.dropFirst() {
      let other = try #require(TimeZone(identifier: zone.name))
      for _ in 0..<2_000 {
        let moment = WallTime(milliseconds: start + Int64(random.next() % 900_000_000_000))
        guard zone.name != "Pacific/Tongatapu" || moment > time("2018-01-01T00:00:00Z") else { continue }
        let seconds = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
        #expect(zone.offset(at: moment) == Int64(seconds) * 1000, "\(zone) at \(moment.iso8601)")
      }
    }
    #expect(TimeZoneRules.known.count == 5)
  }

  @Test func `lead from a shown time back to a time that shows it`() {
    var random = SplitMix64(seed: 8)
    for zone in TimeZoneRules.known {
      for _ in 0..<2_000 {
        let moment = WallTime(milliseconds: Int64(random.next() % 4_000_000_000_000))
        let back = zone.time(ofLocal: zone.local(moment))
        #expect(zone.local(back) == zone.local(moment))
        #expect(back <= moment)
      }
    }
  }

  @Test(arguments: [
    ("Europe/Zurich", true), ("America/Argentina/Buenos_Aires", true), ("Etc/GMT+5", true), ("UTC", true),
    ("", false), ("/etc/passwd", false), ("../../etc/passwd", false), ("Europe/..", false), ("Europe/", false),
    ("Europe//Zurich", false), ("Zürich", false), ("a b", false), ("tzdata.zi", false),
  ])
  func `have names that name no file elsewhere`(name: String, isName: Bool) {
    #expect(TimeZoneRules.isName(name) == isName)
  }
}
