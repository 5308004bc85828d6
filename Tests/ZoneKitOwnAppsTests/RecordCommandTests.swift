import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitOwnApps
import ZoneKitRecords
import ZoneKitSync

/// The commands of a device of records.
@Suite struct RecordCommandTests {
  private static let start = WallTime(milliseconds: 1_795_000_000_000)

  private func device() throws -> AppDevice { try AppDevice(.records, account: "nanny", at: Self.start) }

  /// The fields of a record without the stamp, as `show` prints them.
  private func shown(_ id: String, on device: inout AppDevice) throws -> [String] {
    try device.run("show \(id)").dropFirst().map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }.filter { !$0.hasPrefix("updatedAt") }
  }

  @Test(
    arguments: [
      ("Milk", "Milk (STRING)"), (#""12""#, #""12" (STRING)"#), ("007", "007 (STRING)"), (#""""#, #""" (STRING)"#),
      ("12", "12 (INT64)"), ("-3", "-3 (INT64)"), ("true", "1 (INT64)"), ("false", "0 (INT64)"),
      ("1.5", "1.5 (DOUBLE)"), ("-0.25", "-0.25 (DOUBLE)"), ("1e3", "1000.0 (DOUBLE)"), ("1.", "1. (STRING)"),
      ("2026-11-21T06:06:01Z", "2026-11-21T06:06:01.000Z (TIMESTAMP)"),
      ("2026-11-21", "2026-11-21T00:00:00.000Z (TIMESTAMP)"), (#""2026-11-21""#, #""2026-11-21" (STRING)"#),
      ("->milk", "->milk (REFERENCE)"), ("->milk:validate", "->milk:validate (REFERENCE)"),
      ("@46.95,7.45", "@46.95,7.45 (LOCATION)"), ("@home", "@home (STRING)"), ("base64:AAEC", "base64:AAEC (BYTES)"),
      ("[a,b]", "[a,b] (STRING_LIST)"), (#"["a, b",c]"#, #"["a, b",c] (STRING_LIST)"#), ("[1,2]", "[1,2] (INT64_LIST)"),
      ("[1,2.5]", "[1.0,2.5] (DOUBLE_LIST)"), ("[->a,->b]", "[->a,->b] (REFERENCE_LIST)"),
    ])
  func `the way in which a value is written says its type`(word: String, shown: String) throws {
    var device = try device()
    try device.run("new Task as a x=\(word)")
    #expect(try self.shown("a", on: &device) == ["x \(shown)"])
    // What is shown can be typed.
    let again = shown.prefix { $0 != "(" }.dropLast()
    #expect(try device.run("set a x=\(again)") == ["Task a is like that already"])
  }

  @Test func `a field keeps the type that another record of its type gave it`() throws {
    var device = try device()
    try device.run(#"new Task as milk title=Milk count=2 weight=1.5 tags=[a]"#)
    let refusals = [
      #"new Task as b title=12"#: #"title of Task is STRING, and 12 is INT64; expected title="12""#,
      #"set milk count=many"#: "count of Task is INT64, and many is STRING; expected count=12",
      #"set milk count=1.5"#: "count of Task is INT64, and 1.5 is DOUBLE; expected count=12",
      #"set milk tags=[1]"#: "tags of Task is STRING_LIST, and the list is INT64_LIST; expected tags=[a,b]",
    ]
    for (line, refusal) in refusals { #expect(try device.refusal(of: line) == refusal) }
    #expect(try device.run("list") == ["TYPE  COUNT", "Task  1"])
    try device.run("set milk weight=2 tags=[]")
    #expect(
      try shown("milk", on: &device)
        == ["count 2 (INT64)", "tags [] (STRING_LIST)", "title Milk (STRING)", "weight 2.0 (DOUBLE)"])
    // Another record type has its own fields.
    try device.run("new Shop as b title=12")
  }

  @Test func `records are listed, changed and deleted by the beginning of their names`() throws {
    var device = try device()
    #expect(try device.run("list") == ["there is nothing yet; `new TYPE FIELD=VALUE` makes something"])
    #expect(try device.run(#"new Task as milk title="Oat milk" count=2"#) == ["made Task milk"])
    #expect(try device.run("new Task as mint title=Mint") == ["made Task mint"])
    #expect(
      try device.run("list Task") == ["ID    count  title", "milk  2      \"Oat milk\"", "mint         Mint"])
    #expect(try device.run("set MIL count=none title=Milk") == ["set count, title of Task milk"])
    #expect(try shown("milk", on: &device) == ["title Milk (STRING)"])
    #expect(try device.run("set milk title=Milk") == ["Task milk is like that already"])
    #expect(try device.run("delete mint") == ["deleted Task mint"])
    #expect(try device.run("list") == ["TYPE  COUNT", "Task  1"])
    let json = try device.json("list Task")
    #expect(json["Task"]?.array?.first?["fields"]?["title"] == ["type": "STRING", "value": "Milk"])
    #expect(try device.json("set milk count=1")["kinds"] == ["Task"])
    #expect(try device.json("delete milk")["kinds"] == [.null])
  }

  @Test(
    arguments: [
      ("lst", #"unknown command "lst"; did you mean list?"#),
      ("list Taks", "there is no record of type Taks; did you mean Task?"),
      ("list Task 0", #""0" is no count; expected a whole number above 0"#),
      ("show m", #""m" stands for several: Task.milk, Task.mint; give more characters, or TYPE.ID"#),
      ("show mlik", #"no ID begins with "mlik"; did you mean milk?"#),
      ("new 1Task a=b", #""1Task" is no record type; expected a letter, then letters, digits and _, as in Task"#),
      ("new Task as milk", "there is a record milk already; `set milk FIELD=VALUE` changes it"),
      ("new Task as _x", #""_x" is no name of a record; expected 1 to 255 characters, the first not _ or @"#),
      ("set milk", "the command ends too early; expected FIELD=VALUE, such as title=\"Oat milk\""),
      ("set milk title", #""title" gives no field a value; expected FIELD=VALUE, such as title="Oat milk""#),
      ("set milk title=", #"title= has no value; title="" is an empty text, and title=none removes the field"#),
      ("set milk a=1 a=2", "a comes twice; say it once"),
      ("set milk a-b=1", #""a-b" is no name of a field; expected a letter, then letters, digits and _, as in title"#),
      (
        "set milk updatedAt=now",
        "updatedAt is the time of the last edit, which the device sets; choose another field"
      ),
      (
        "set milk x=2026-13-40",
        "2026-13-40 is no time; expected one such as 2026-11-21T06:06:01Z, or the text in double quotes"
      ),
      ("set milk x=[a,1]", "the values of x have different types; a list has values of one type"),
      ("set milk x=[]", "x has no type yet, and an empty list gives it none; give it a list with a value first"),
      ("set milk x=[a", "the list of x does not end; expected x=[a,b], with texts with blanks in double quotes"),
      ("set milk x=->a:own", "->a:own has no such action; expected ->a, ->a:delete or ->a:validate"),
      ("set milk x=base64:!", "base64:! is no base64 text; expected base64:AAEC, or the text in double quotes"),
    ])
  func `a wrong command is refused with the right form, and changes nothing`(line: String, refusal: String) throws {
    var device = try device()
    try device.run("new Task as milk title=Milk")
    try device.run("new Task as mint title=Mint")
    #expect(try device.refusal(of: line) == refusal)
    #expect(try device.run("list Task") == ["ID    title", "milk  Milk", "mint  Mint"])
  }

  @Test func `records of other zones have the zone in their IDs`() throws {
    var device = try device()
    try device.run("new Task as milk title=Milk")
    #expect(try device.run("new Task as milk in Lists title=Other") == ["made Task Lists/milk"])
    #expect(try device.run("set milk title=Oat") == ["set title of Task milk"])
    #expect(try device.run("set Lists/milk title=Soy") == ["set title of Task Lists/milk"])
    #expect(try device.run("list Task") == ["ID          title", "Lists/milk  Soy", "milk        Oat"])
    #expect(
      try device.refusal(of: "new Task in _x title=a")
        == #""_x" is no name of a zone; expected 1 to 255 characters, the first not _"#)
  }

  @Test func `random commands use every verb that changes something`() throws {
    var device = try device()
    let (verbs, refusals) = try device.performRandomCommands(2_000, seed: 7)
    #expect(verbs == ["new", "set", "delete"])
    // Names that are taken or missing are refused; no word is badly written, and no field gets another type.
    let usual = ["already", "no ID begins", "nothing yet", "no type yet"]
    #expect(refusals.keys.filter { refusal in !usual.contains { refusal.contains($0) } } == [])
  }
}
