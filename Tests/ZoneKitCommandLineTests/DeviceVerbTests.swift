import Testing
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

@testable import ZoneKitCommandLine

/// `zonekit device` without a network, with both apps of the table.
struct DeviceVerbTests {
  @Test func `commands are answered in their order, and what was saved is there at the next start`() throws {
    let data = try DataFolder()
    let first = data.device("A", "profile name \"Mia\"", "log feeding bottle volume 120 at 2026-08-14T06:31:05Z")
    #expect(first.code == 0)
    #expect(first.lines.contains("profile Mia CD15C356"))
    let second = data.device("A", "list")
    #expect(second.lines.suffix(2).first?.hasSuffix("2026-08-14 06:31  feeding bottle  0 min     120 ml") == true)
    #expect(second.lines.last == "0 sleep (0 min), 0 diaper, 1 feeding (120 ml), 0 running")
  }

  @Test func `a command that cannot be done is an error, the others are done, and the exit code is 2`() throws {
    let run = try DataFolder().device("A", "stop sleep", "lst", "log diaper pee")
    #expect(run.code == 2)
    #expect(run.lines.contains("error: no sleep is running; `start sleep` starts one"))
    #expect(run.lines.contains("error: unknown command lst; did you mean list?"))
    #expect(run.lines.contains { $0.hasPrefix("logged diaper pee ") })
  }

  @Test func `with --json every line is an object with event, time and device`() throws {
    let run = try DataFolder().device("A", "log diaper pee", "nonsense", "help", options: ["--json"])
    let events = try run.lines.map { try JSON(parsing: $0) }
    #expect(events.map { $0["event"]?.string } == ["link", "launched", "answer", "error", "answer"])
    #expect(events.allSatisfy { $0["device"] == "A" && $0["at"]?.string?.hasSuffix("Z") == true })
    #expect(events[2]["command"] == "log diaper pee")
    #expect(events[2]["records"]?.array?.count == 2)
    #expect(events[2]["kinds"] == ["profile", "diaper"])
    #expect(events[3]["message"]?.string?.hasPrefix("unknown command nonsense; there are log, start, ") == true)
    #expect(events[4]["help"]?.string?.hasPrefix("profile name \"Mia\" ") == true)
  }

  @Test func `another app has its own commands and help`() throws {
    let data = try DataFolder()
    let run = data.device("A", app: "Items", "save i1 a x", "log diaper pee", "help", options: ["--json"])
    let events = try run.lines.map { try JSON(parsing: $0) }
    #expect(run.code == 2)
    #expect(events[2]["records"] == ["i1"])
    #expect(events[3]["message"]?.string?.hasPrefix("unknown command log; there are save, delete, ") == true)
    #expect(events[4]["help"]?.string?.hasPrefix("save NAME FIELD TEXT ") == true)
  }

  @Test func `a store remembers its app, and another one is refused`() throws {
    let data = try DataFolder()
    #expect(data.device("A", app: "Items", "save i1 a x").code == 0)
    #expect(data.device("A", "save i2 a x").code == 0, "without --app the store's own app runs")
    let other = data.device("A", app: "NannyAndMe", "list")
    #expect(other.code == 2)
    #expect(
      other.complaints.hasPrefix(
        "zonekit: device A was made by the app Items, not by NannyAndMe; leave --app out, or erase the device\n"))
    data.run("erase", "A", "--yes")
    #expect(data.device("A", app: "NannyAndMe", "list").code == 0)
  }

  @Test func `a store remembers its protocol for documents, and another one is refused`() throws {
    let data = try DataFolder()
    #expect(data.device("A", app: "DietLog", "weigh 70", options: ["--via", "cloudkit"]).code == 0)
    #expect(data.device("A", "list weights").code == 0, "without --via the store's own protocol is used")
    let other = data.device("A", app: "DietLog", "list", options: ["--via", "rest"])
    #expect(other.code == 2)
    #expect(
      other.complaints.hasPrefix(
        "zonekit: device A was made over cloudkit, and its change tags mean nothing over rest; leave --via out, or erase "
          + "the device\n"))
    let wrong = data.device("B", app: "Items", "list", options: ["--via", "rest"])
    #expect(
      wrong.code == 2 && wrong.complaints.hasPrefix("zonekit: --via goes with DietLog, documents, not with Items\n"))
  }

  @Test func `a reset and another account leave the store with its app`() throws {
    let data = try DataFolder()
    #expect(data.device("A", app: "Items", "save i1 a x", "account tom").code == 0)
    #expect(data.run("reset", "local", "A", "--yes", "--no-backup").code == 0)
    #expect(data.device("A", app: "NannyAndMe", "list").code == 2)
    #expect(data.device("A", app: "Items", "save i1 a x").code == 0)
  }

  @Test func `a store without a mark is the standard app's`() throws {
    let data = try DataFolder()
    let values = [ValueChange(.deviceID, .text("old")), ValueChange(.account, .text("nanny"))]
    let transition = DeviceTransition(values: values)
    try DeviceFile(folder: "\(data.path)/devices/A").commit(transition)
    #expect(data.device("A", app: "Items", "save i1 a x").code == 2)
    #expect(data.device("A", "list").code == 0)
    #expect(try DeviceFile.readOnly(folder: "\(data.path)/devices/A").app() == "NannyAndMe")
  }

  @Test func `the clock and the account of a device are set at its prompt`() throws {
    let run = try DataFolder().device(
      "A", "clock 2026-08-14T06:31:05Z", "log diaper pee", "list", "account tom", "list")
    #expect(run.code == 0)
    #expect(run.output.contains("2026-08-14 06:31  diaper pee"))
    #expect(run.lines.last == "nothing is logged yet; `log diaper pee` or `start sleep` begins")
  }

  @Test func `what only a system does is refused without --life`() throws {
    let data = try DataFolder()
    let refusal = "error: this device has no system that could do that; start it with --life"
    #expect(data.device("A", "forcequit").lines.contains(refusal))
    let run = data.device("A", "forcequit", "list", "foreground", "list", options: ["--life"])
    #expect(run.lines.contains("error: the app is ended; foreground opens it"))
    #expect(run.lines.last == "nothing is logged yet; `log diaper pee` or `start sleep` begins")
  }
}
