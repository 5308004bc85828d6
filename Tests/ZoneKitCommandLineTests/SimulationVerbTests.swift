import Testing
import ZoneKitRecords
import ZoneKitStorage

@testable import ZoneKitCommandLine

/// `run`, `scenarios` and `simulate`.
struct SimulationVerbTests {
  private static let head = "scenario \"s\"\napp Items\ndevices A, B signed in as nanny\n"

  @Test func `a scenario that holds ends with 0, one that does not with 1, one that cannot be read with 2`() throws {
    let data = try DataFolder()
    let good = try data.file("good.scenario", Self.head + "A does save i1 a x\nexpect B has record i1 within 10s\n")
    let bad = try data.file("bad.scenario", Self.head + "expect B has record i1 within 1s\n")
    let odd = try data.file("odd.scenario", Self.head + "A dances\n")
    #expect(data.run("run", good).code == 0)
    #expect(data.run("run", good, "--json").output.contains("\"digest\":"))
    #expect(data.run("run", bad).code == 1)
    let refused = data.run("run", odd)
    #expect(refused.code == 2)
    #expect(refused.complaints.contains("odd.scenario: "))
  }

  @Test func `an unknown app of a scenario is named with those there are`() throws {
    let data = try DataFolder()
    let file = try data.file("s.scenario", "scenario \"s\"\napp Nothing\ndevices A signed in as nanny\nwait 1s\n")
    let run = data.run("run", file)
    #expect(run.code == 2)
    #expect(run.complaints.contains("expected one of NannyAndMe, Items"))
  }

  @Test func `a timeline and JUnit results are written to files`() throws {
    let data = try DataFolder()
    let file = try data.file("s.scenario", Self.head + "A does save i1 a x\nexpect everyone agrees within 10s\n")
    let run = data.run("run", file, "--timeline", "\(data.path)/t.svg", "--junit", "\(data.path)/j.xml")
    #expect(run.code == 0)
    let svg = String(decoding: try #require(try Folder.read("\(data.path)/t.svg")), as: UTF8.self)
    let junit = String(decoding: try #require(try Folder.read("\(data.path)/j.xml")), as: UTF8.self)
    #expect(svg.hasPrefix("<svg") || svg.hasPrefix("<?xml"))
    #expect(junit.contains("<testcase"))
  }

  @Test func `the same seeds of one app give the same digest`() throws {
    let data = try DataFolder()
    let runs = (0..<2).map { _ in
      data.run("simulate", "--seeds", "1..2", "--minutes", "2", "--app", "Items", "--json")
    }
    #expect(runs.allSatisfy { $0.code == 0 })
    let reports = try runs.map { try JSON(parsing: $0.output) }
    #expect(reports[0]["seeds"] == 2)
    #expect(reports[0]["digest"]?.string == reports[1]["digest"]?.string)
    #expect(reports[0]["digest"]?.string?.isEmpty == false)
  }

  @Test func `a trace ends with its digest`() throws {
    let run = try DataFolder().run("simulate", "--seeds", "1", "--minutes", "1", "--trace", "--troubles", "none")
    #expect(run.code == 0)
    #expect(run.lines.last?.hasPrefix("digest ") == true)
  }

  @Test func `a coverage counts the commands of all jobs, by form and state of the device`() throws {
    let data = try DataFolder()
    let alone = data.run("simulate", "--seeds", "1..4", "--minutes", "2", "--app", "Items", "--coverage", "--json")
    #expect(alone.code == 0)
    let visits = try #require(try JSON(parsing: alone.output)["coverage"]?.array)
    let saves = visits.filter { $0["command"] == "save a" }
    #expect(saves.allSatisfy { $0["app"] == "Items" && $0["refused"] == 0 })
    #expect(saves.contains { $0["state"] == "offline" } && saves.contains { $0["state"] == "idle" })
    #expect(
      try JSON(parsing: data.run("simulate", "--seeds", "1", "--minutes", "1", "--json").output)["coverage"] == nil)
    let table = data.run("simulate", "--seeds", "1..4", "--minutes", "2", "--app", "Items", "--coverage")
    #expect(table.lines.contains { $0.hasPrefix("app") && $0.contains("backingOff") })
    #expect(table.lines.contains { $0.contains("pairs of a command and a state") })
  }
}
