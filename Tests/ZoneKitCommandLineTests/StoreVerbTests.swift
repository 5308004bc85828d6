import Testing
import ZoneKitRecords
import ZoneKitStorage

@testable import ZoneKitCommandLine

/// Verbs that read and change the stores of devices that do not run.
struct StoreVerbTests {
  private static let tom = """
    {"version":1,"exportedAt":"2026-08-14T06:31:05Z",
     "profile":{"id":"0A464B86-36B3-4E94-93C5-DCC2AF87B33D","name":"Tom"},
     "actions":{"activeActions":{},"history":[
      {"id":"1B464B86-36B3-4E94-93C5-DCC2AF87B33D","category":"diaper","startDate":"2026-08-14T06:00:00Z",
       "diaperType":"pee"}]}}
    """

  // MARK: import and export

  @Test func `a file is imported once, and again changes nothing`() throws {
    let data = try DataFolder()
    let file = try data.file("tom.json", Self.tom)
    let first = data.run("import", file, "--device", "A")
    #expect(first.code == 0)
    #expect(first.output == "2 added, 0 updated, 0 unchanged, 0 refused\n")
    let second = data.run("import", file, "--device", "A", "--json")
    #expect(
      second.output == """
        {"event":"imported","added":0,"updated":0,"unchanged":2,"refused":[],"keptOut":[],"ended":0,"farFutureStamps":0}

        """)
  }

  @Test func `nothing of several files is taken where one is malformed, and no device is made`() throws {
    let data = try DataFolder()
    let (good, bad) = (try data.file("tom.json", Self.tom), try data.file("bad.json", "{\"version\":1}"))
    let run = data.run("import", good, bad, "--device", "A")
    #expect(run.code == 2)
    #expect(run.complaints.contains("bad.json: this is no NannyAndMe share file: /exportedAt: missing"))
    #expect(!Folder.exists("\(data.path)/devices/A"))
  }

  @Test(arguments: AppTable.all.filter { $0.interchange != nil }.map(\.name))
  func `the example of an app's files in the help is a file that can be imported`(app: String) throws {
    let example = try #require(try AppTable.app(named: app).interchange?.example)
    #expect(ProgramRun(["import", "--help"]).output.contains(example))
    let data = try DataFolder()
    let run = data.run("import", try data.file("a.json", example), "--device", "A", "--app", app)
    #expect(run.code == 0)
    #expect(run.output.contains(" added, 0 updated, 0 unchanged") && !run.output.hasPrefix("0 "))
    // Some editors begin a file with a byte order mark.
    let marked = data.run("import", try data.file("b.json", "\u{FEFF}" + example), "--device", "B", "--app", app)
    #expect(marked.output == run.output)
  }

  @Test func `the messages of an import quote what is in the file and name what would be right`() throws {
    let data = try DataFolder()
    let row = #"{"id":"4ba7b810-9dad-41d1-80b4-00c04fd430c8","name":"Ben","created_at":"now"}"#
    let coins = try data.file("c.json", #"{"version":1,"app":"SwissCoin","tables":{"persons":[\#(row)]}}"#)
    let text = data.run("import", coins, "--device", "S", "--app", "SwissCoin").output
    #expect(
      text.contains(#"refused /tables/persons/0/created_at: expected a time such as 2026-11-21T06:06:01Z, found "now""#)
    )
    for (number, found) in [("9007199254740993", "9007199254740993"), ("12345678901234567890", "12345678901234567890")]
    {
      let file = Self.tom.replacing(#""diaperType":"pee""#, with: #""diaperType":"pee","bottleVolume":\#(number)"#)
      let run = data.run("import", try data.file("n.json", file), "--device", "N")
      #expect(run.output.contains("/bottleVolume: expected a whole number from 0 to "))
      #expect(run.output.contains(", found \(found)\n"))
    }
    let other = data.run("import", try data.file("o.json", #"{"version":1}"#), "--device", "O", "--app", "DietLog")
    #expect(other.complaints.hasSuffix(#"o.json: /app: expected "DietLog", found nothing"# + "\n"))
  }

  @Test func `files that are not there, and an app without files, are named`() throws {
    let data = try DataFolder()
    let missing = data.run("import", "\(data.path)/no.json", "--device", "A")
    #expect(missing.code == 2)
    #expect(missing.complaints.contains("no.json: there is no such file"))
    let items = data.run("import", "no.json", "--device", "A", "--app", "Items")
    #expect(items.complaints.hasPrefix("zonekit: the app Items has no files to import\n"))
    data.device("I", app: "Items", "save i1 a x")
    #expect(data.run("export", "--device", "I").complaints.hasPrefix("zonekit: the app Items has no files to export\n"))
  }

  @Test func `all profiles are exported into a folder, which another device imports`() throws {
    let data = try DataFolder()
    data.device("A", "profile name \"Mia\"", "log diaper poo")
    data.run("import", try data.file("tom.json", Self.tom), "--device", "A")
    let folder = "\(data.path)/profiles"
    let export = data.run("export", "--device", "A", "--all", "--out", folder)
    #expect(export.code == 0)
    #expect(export.complaints.isEmpty)
    #expect(export.lines.count == 2)
    let copy = data.run("import", folder, "--device", "B")
    #expect(copy.code == 0)
    #expect(copy.lines.allSatisfy { $0.hasSuffix(".json: 2 added, 0 updated, 0 unchanged, 0 refused") })
    for name in ["Mia", "Tom"] {
      let files = ["A", "B"].map { device in
        data.run("export", "--device", device, "--profile", name).lines.filter { !$0.contains("exportedAt") }
      }
      #expect(files[0] == files[1])
      #expect(files[0].contains { $0.contains("\"name\": \"\(name)\"") })
    }
  }

  @Test func `an export names the profiles that it leaves out`() throws {
    let data = try DataFolder()
    data.device("A", "profile name \"Mia\"", "log diaper poo")
    data.run("import", try data.file("tom.json", Self.tom), "--device", "A")
    let left = "left out: profile Tom (0A464B86-36B3-4E94-93C5-DCC2AF87B33D) with 1 action\n"
    #expect(data.run("export", "--device", "A", "--profile", "Mia").complaints == left)
    let unknown = data.run("export", "--device", "A", "--profile", "Ada")
    #expect(unknown.code == 2)
    #expect(unknown.complaints.hasPrefix("zonekit: no profile has the name or ID Ada; there are Tom ("))
  }

  // MARK: erase, reset, snapshot, diff, diagnostics, push

  @Test(arguments: [
    ["erase", "B"], ["reset", "local", "B", "--dry-run"], ["reset", "tokens", "B", "--dry-run"],
    ["export", "--device", "B"], ["diff", "A", "B"], ["diagnostics", "--device", "B"],
  ])
  func `a device that is not there is named with those that are`(words: [String]) throws {
    let data = try DataFolder()
    data.device("A", "log diaper pee")
    let run = ProgramRun(words + ["--data", data.path])
    #expect(run.code == 2)
    #expect(run.complaints.hasPrefix("zonekit: there is no device B in \(data.path)/devices; there are A\n"))
  }

  @Test func `erase reports what it removes, and removes it`() throws {
    let data = try DataFolder()
    data.device("A", "log diaper pee")
    let dry = data.run("erase", "A", "--dry-run")
    #expect(dry.output.hasPrefix("would erase device A: 2 records, 2 edits not sent, "))
    #expect(Folder.exists("\(data.path)/devices/A"))
    let wet = try JSON(parsing: data.run("erase", "A", "--yes", "--json").output)
    #expect(wet["event"] == "erase")
    #expect(wet["records"] == 2)
    #expect(!Folder.exists("\(data.path)/devices/A"))
  }

  @Test func `reset asks for --yes, makes a backup and empties the device`() throws {
    let data = try DataFolder()
    data.device("A", "log diaper pee")
    let asked = data.run("reset", "local", "A")
    #expect(asked.code == 2)
    #expect(asked.complaints.hasPrefix("zonekit: reset local A takes away 2 records of device A; add --yes to do it"))
    let done = data.run("reset", "local", "A", "--yes")
    #expect(done.code == 0)
    #expect(done.lines.first == "reset local A")
    #expect(done.lines.last?.hasPrefix("backup: \(data.path)/backups/") == true)
    #expect(data.device("A", "list").lines.last == "nothing is logged yet; `log diaper pee` or `start sleep` begins")
  }

  @Test func `a snapshot brings back what was erased`() throws {
    let data = try DataFolder()
    #expect(data.run("snapshot", "list").output == "no snapshots\n")
    data.device("A", "log diaper pee")
    #expect(data.run("snapshot", "save", "one").output.hasPrefix("saved one: cloud and devices A, "))
    data.run("erase", "A", "--yes")
    #expect(data.run("snapshot", "restore", "one").lines.first == "restored one")
    #expect(data.run("snapshot", "list", "--json").output.contains("\"name\":\"one\""))
    #expect(data.device("A", "list").lines.last == "0 sleep (0 min), 1 diaper, 0 feeding (0 ml), 0 running")
    #expect(data.run("snapshot", "restore", "two").code == 2)
  }

  @Test func `diff refuses devices of two apps`() throws {
    let data = try DataFolder()
    data.device("A", "log diaper pee")
    data.device("I", app: "Items", "save i1 a x")
    let run = data.run("diff", "A", "I")
    #expect(run.code == 2)
    #expect(run.complaints.hasPrefix("zonekit: A runs NannyAndMe and I runs Items; diff takes devices of one app\n"))
  }

  @Test func `diagnostics prints and writes what a stopped device knows`() throws {
    let data = try DataFolder()
    data.device("A", "log diaper pee")
    let run = data.run("diagnostics")
    #expect(run.code == 0)
    #expect(run.output.contains("device A, user nanny, not running"))
    #expect(run.output.contains("records       BabyAction 1, Profile 1"))
    let path = "\(data.path)/dump.json"
    #expect(data.run("diagnostics", "--out", path).output == "\(path)\n")
    let dump = try JSON(parsing: try #require(try Folder.read(path)))
    #expect(dump["devices"]?.array?.map { $0["name"] } == ["A"])
  }

  @Test func `a payload for a device that does not run, or that is none, is refused`() throws {
    let data = try DataFolder()
    data.device("A", "log diaper pee")
    let payload = try data.file("p.json", "{\"aps\":{\"content-available\":1}}")
    let stopped = data.run("push", "A", payload)
    #expect(stopped.code == 3)
    #expect(stopped.complaints.hasPrefix("zonekit: device A is not running; zonekit device A starts it\n"))
    let none = data.run("push", "A", try data.file("q.json", "[1]"))
    #expect(none.code == 2)
    #expect(none.complaints.contains("q.json is no payload: "))
  }
}
