import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitSimulator

/// The commands of a device with documents that a file describes.
@Suite struct DocumentCommandTests {
  private static let start = WallTime(milliseconds: 1_795_000_000_000)

  private func device() throws -> AppDevice { try AppDevice(.shelf, account: "nanny", at: Self.start) }

  /// A device with a book and a note of it.
  private func shelf() throws -> AppDevice {
    var device = try device()
    try device.run(#"new books as dune name="Dune Messiah""#)
    try device.run(#"add dune as n1 text="the spice" page=3"#)
    return device
  }

  @Test func `a document has the members of its collection, with their defaults`() throws {
    var device = try shelf()
    try device.run("set dune rating=4.5 isOwned=true addedOn=today")
    #expect(
      try device.run("show dune") == [
        "books dune", #"  name       "Dune Messiah""#, "  state      wanted", "  rating     4.5", "  isOwned    true",
        "  addedOn    2026-11-18", "  notes      1 item", "  updatedAt  2026-11-18T11:06:43.000Z",
        #"    n1  text="the spice" page=3"#,
      ])
    #expect(try device.run("list") == ["TYPE      COUNT", "books     1", "days      0", "readings  0", "settings  0"])
    try device.run("set dune rating=none isOwned=false")
    #expect(try device.run("set dune isOwned=false") == ["books dune is like that already"])
    let json = try device.json("show dune")["entry"]
    #expect(json?["_id"] == "dune")
    #expect(json?["rating"] == nil)
    #expect(json?["isOwned"] == false)
  }

  @Test func `items are added, changed, removed and restored one by one`() throws {
    var device = try shelf()
    #expect(try device.run("add dune as n2 text=b") == ["added item n2 to books dune"])
    #expect(try device.run("change dune n1 page=4") == ["changed page of item n1"])
    #expect(try device.run("change dune n1 page=4") == ["item n1 is like that already"])
    #expect(try device.run("drop dune n2") == ["removed item n2 from books dune"])
    #expect(
      try device.run("show dune").suffix(2) == [#"    n1  text="the spice" page=4"#, "    n2 removed  text=b"])
    #expect(try device.run("list books").last?.hasSuffix("1 item") == true)
    #expect(try device.run("restore dune n2") == ["restored item n2 in books dune"])
    #expect(try device.run("show dune").last == "    n2  text=b")
  }

  @Test func `a deleted document comes back, and one that never left the device is gone`() throws {
    var device = try shelf()
    #expect(try device.json("delete dune")["kinds"] == [.null])
    #expect(try device.run("list books") == ["there is no books yet; `new books FIELD=VALUE` makes one"])
    #expect(try device.refusal(of: "restore dune") == "there is nothing yet; `new TYPE FIELD=VALUE` makes something")
  }

  @Test func `the only document of a collection and one named by a member have their IDs`() throws {
    var device = try device()
    #expect(try device.run("new settings pagesPerDay=20") == ["made settings settings"])
    #expect(try device.run("new readings bookId=dune day=2026-11-21") == ["made readings dune"])
    #expect(
      try device.refusal(of: "set readings.dune bookId=other")
        == "bookId is the ID of readings dune, which never changes")
    #expect(
      try device.refusal(of: "new settings as other pagesPerDay=1")
        == "the only document of settings has the ID settings, not other")
    #expect(
      try device.refusal(of: "new readings as a bookId=b day=2026-11-21")
        == "the ID of a document of readings is its bookId, b, not a")
  }

  @Test(
    arguments: [
      ("list boks", "there is no collection boks; did you mean books?"),
      ("new days", "days are sums that the server writes; `list days` shows them"),
      ("new books", "name of books is missing; it has to be a text of 1 to 20 characters"),
      ("new books as dune name=x", "books dune is there already; `set books.dune FIELD=VALUE` changes it"),
      ("new books as a.b name=x", #""a.b" is no ID; expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _"#),
      ("set dune nmae=x", "books has no member nmae; did you mean name?"),
      ("set dune name=none", "name cannot be removed; it has to be a text of 1 to 20 characters"),
      ("set dune state=opne", #""opne" is no value for state; expected one of wanted, open, read; did you mean open?"#),
      ("set dune rating=6", #""6" is no value for rating; expected a number from 0.0 to 5.0"#),
      ("set dune isOwned=yes", #""yes" is no value for isOwned; expected true or false"#),
      (
        "set dune addedOn=2026-11-31",
        #""2026-11-31" is no value for addedOn; expected a day from 1970 to 2199, such as 2026-11-21"#
      ),
      ("set dune notes=x", "notes are items; `add ID FIELD=VALUE` adds one"),
      ("add dune page=1", "text of the item is missing; it has to be a text of at most 40 characters"),
      ("add dune as n1 text=x", "books dune has an item n1; `change dune n1 FIELD=VALUE` changes it"),
      ("change dune n2 page=1", #"no item of books dune has an ID that begins with "n2"; did you mean n1?"#),
      ("restore dune n1", "books dune has no removed item"),
      ("shwo dune", "unknown command \"shwo\"; did you mean show?"),
    ])
  func `a wrong command is refused with the right form, and changes nothing`(line: String, refusal: String) throws {
    var device = try shelf()
    let before = try device.run("show dune")
    #expect(try device.refusal(of: line) == refusal)
    #expect(try device.run("show dune") == before)
  }

  @Test func `random commands are drawn from the schema and use every verb that changes something`() throws {
    var device = try device()
    let (verbs, refusals) = try device.performRandomCommands(3_000, seed: 3)
    #expect(verbs == ["new", "set", "delete", "restore", "add", "change", "drop"])
    // What is there or missing is refused; no value is badly written.
    let usual = [
      "already", "no ID begins", "nothing yet", "has an item", "has no item", "has no removed item", "is removed",
      "ID that begins with", "are allowed",
    ]
    #expect(refusals.keys.filter { refusal in !usual.contains { refusal.contains($0) } } == [])
  }

  @Test(arguments: [1, 9] as [UInt64])
  func `all devices agree with the server at the end of any story`(first: UInt64) throws {
    for seed in first..<first + 8 {
      var swarm = Swarm(apps: [.shelf])
      swarm.minutes = 3
      let outcome = try swarm.story(seed: seed).play()
      #expect(outcome.end == .held, "seed \(seed): \(outcome.violations.map(\.description))")
    }
  }

  @Test func `a policy that loses items is found`() throws {
    var app = DeviceApp.shelf
    app.simulation.mergePolicy = .newestEdit(stamp: .documentStamp)
    var swarm = Swarm(apps: [app])
    swarm.minutes = 3
    #expect(try (1...20).contains { try swarm.story(seed: $0).play().end != .held })
  }
}

extension DeviceApp {
  /// A small app with documents of each kind.
  static let shelf: DeviceApp = {
    let text = Array(file.utf8)
    do throws(DocumentSchemaProblems) {
      let app = try DocumentSchemaReader.app(text, file: "shelf.json")
      return .documents(of: app, from: DescribingFile(path: "shelf.json", text: text, title: app.name))
    } catch {
      fatalError("\(error)")
    }
  }()

  private static let file = """
    {
      "title": "shelf", "type": "object",
      "properties": {
        "books": {"type": "array", "items": {"$ref": "#/$defs/Book"}},
        "readings": {
          "type": "array", "items": {"$ref": "#/$defs/Reading"}, "x-zonekit-identity": {"member": "bookId"}
        },
        "settings": {
          "type": "array", "items": {"$ref": "#/$defs/Settings"}, "x-zonekit-identity": {"only": "settings"}
        },
        "days": {
          "type": "array",
          "x-zonekit-summary": {"of": "readings", "by": "day", "documents": "readings", "items": "sessions"}
        }
      },
      "$defs": {
        "Book": {
          "type": "object", "required": ["name", "notes"],
          "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 20},
            "state": {"enum": ["wanted", "open", "read"], "default": "wanted"},
            "rating": {"type": "number", "minimum": 0, "maximum": 5},
            "isOwned": {"type": "boolean", "default": false},
            "addedOn": {"type": "string", "format": "date"},
            "notes": {"type": "array", "items": {"$ref": "#/$defs/Note"}}
          }
        },
        "Note": {
          "type": "object", "required": ["text"],
          "properties": {
            "text": {"type": "string", "maxLength": 40}, "page": {"type": "integer", "minimum": 0},
            "writtenAt": {"type": "string", "format": "date-time"}, "isQuote": {"type": "boolean"}
          }
        },
        "Reading": {
          "type": "object", "required": ["bookId", "day", "sessions"],
          "properties": {
            "bookId": {"type": "string", "format": "document-id"}, "day": {"type": "string", "format": "date"},
            "sessions": {"type": "array", "items": {"$ref": "#/$defs/Session"}}
          }
        },
        "Session": {
          "type": "object", "required": ["pages"], "x-zonekit-totals": ["pages"],
          "properties": {
            "pages": {"type": "integer", "minimum": 0, "maximum": 1000}, "speed": {"type": "number"}
          }
        },
        "Settings": {"type": "object", "properties": {"pagesPerDay": {"type": "integer"}}}
      }
    }
    """
}
