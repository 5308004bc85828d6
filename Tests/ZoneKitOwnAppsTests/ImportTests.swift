import Foundation
import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitOwnApps
import ZoneKitRecords

/// Imports of the examples in `Diagnostics/Imports`, and of files that are wrong.
@Suite struct ImportTests {
  private static let start = WallTime(milliseconds: 1_795_000_000_000)
  private static let diagnostics = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Diagnostics")

  private static func file(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: diagnostics.appendingPathComponent(name)))
  }

  private static func foodDiary() throws -> DeviceApp {
    let text = try file("Documents/food-diary.json")
    let app = try DocumentSchemaReader.app(text, file: "food-diary.json")
    return .documents(of: app, from: DescribingFile(path: "food-diary.json", text: text, title: app.name))
  }

  /// A device, and the import of files by a mapping.
  private struct Importer {
    var device: AppDevice
    let mapped: DeviceApp.MappedFiles

    init(_ app: DeviceApp, _ mapping: [UInt8]) throws {
      device = try AppDevice(app, account: "nanny", at: ImportTests.start)
      device.timeZone = try TimeZoneRules.known("Europe/Zurich")
      guard let read = app.interchange?.mapped else { throw AppRefusal("the app has no mapped imports") }
      mapped = try read(mapping)
    }

    /// Imports a file, and returns the report.
    mutating func run(_ file: [UInt8]) throws -> [String] {
      try mapped.check(file)
      let answer = try mapped.merge(file, device.view)
      try device.save(answer)
      return answer.lines()
    }
  }

  /// What refuses a file, with its places, and whether nothing was imported.
  private func refusal(of file: String, _ mapping: String, in app: DeviceApp = .records) throws -> [String] {
    do {
      var importer = try Importer(app, Array(mapping.utf8))
      let before = try importer.device.run("list")
      do {
        _ = try importer.run(Array(file.utf8))
        return []
      } catch let refusal as AppRefusal {
        #expect(try importer.device.run("list") == before)
        return refusal.text(of: "f.csv").split(separator: "\n").map(String.init)
      }
    } catch let refusal as AppRefusal {
      return refusal.text(of: "m.json").split(separator: "\n").map(String.init)
    }
  }

  @Test(
    arguments: [
      ("splitwise.csv", "Expense", 4), ("household-comma.csv", "Expense", 3), ("huckleberry.csv", "Activity", 3),
      ("tasks.json", "Task", 2),
    ])
  func `an example becomes records, and the same file again changes nothing`(
    name: String, type: String, count: Int
  ) throws {
    let map = try Self.file("Imports/\(name.split(separator: ".")[0]).map.json")
    var importer = try Importer(.records, map)
    #expect(try importer.run(Self.file("Imports/\(name)")) == ["\(count) added, 0 updated, 0 unchanged"])
    #expect(try importer.run(Self.file("Imports/\(name)")) == ["0 added, 0 updated, \(count) unchanged"])
    #expect(
      try importer.device.run("list") == [
        "TYPE\(String(repeating: " ", count: type.count - 4))  COUNT", "\(type)  \(count)",
      ])
  }

  @Test func `decimal commas, days first and a byte order mark are read as the mapping says`() throws {
    var importer = try Importer(.records, Self.file("Imports/household-comma.map.json"))
    _ = try importer.run(Self.file("Imports/household-comma.csv"))
    #expect(
      try importer.device.run("show 1001").dropLast() == [
        "Expense 1001", "  cents      185000  (INT64)", "  isPaid     1  (INT64)",
        "  paidOn     2026-11-01T23:00:00.000Z  (TIMESTAMP)", "  title      Miete  (STRING)",
      ])
    #expect(try importer.device.run("show 1003").contains("  cents      -1250  (INT64)"))
  }

  @Test func `an export by a mapping has the form of the file that was imported`() throws {
    var importer = try Importer(.records, Self.file("Imports/household-comma.map.json"))
    let file = try Self.file("Imports/household-comma.csv")
    _ = try importer.run(file)
    let export = try importer.mapped.export(importer.device.view).files[0]
    #expect(
      String(decoding: export.text, as: UTF8.self)
        == "\u{FEFF}Nr;Datum;Zweck;Betrag;Bezahlt\r\n1001;02.11.2026;Miete;1850,00;ja\r\n"
        + "1002;03.11.2026;\"Strom \"\"Eco\"\"\";97,35;nein\r\n1003;15.11.2026;Rückzahlung;-12,50;ja\r\n")
    // The device reads what it wrote.
    #expect(try importer.run(export.text) == ["0 added, 0 updated, 3 unchanged"])
    var meals = try Importer(try Self.foodDiary(), Self.file("Imports/myfitnesspal.map.json"))
    _ = try meals.run(Self.file("Imports/myfitnesspal.csv"))
    let lines = String(decoding: try meals.mapped.export(meals.device.view).files[0].text, as: UTF8.self)
      .split(separator: "\r\n")
    #expect(lines[0] == "Date,Meal,Calories,Fat (g),Carbohydrates (g),Protein (g),Note")
    #expect(lines.contains("2026-11-21,Lunch,655,22.000,80.300,31.000,\"canteen, large\""))
    let foods = try Importer(try Self.foodDiary(), Self.file("Imports/cronometer.map.json"))
    #expect(throws: AppRefusal.self) { try foods.mapped.export(foods.device.view) }
  }

  @Test func `a changed row with an ID changes its record, and equal rows without one stay apart`() throws {
    let mapping = #"{"into": "E", "id": "n", "fields": {"t": "t"}}"#
    var importer = try Importer(.records, Array(mapping.utf8))
    #expect(try importer.run(Array("n,t\n1,a\n2,b\n".utf8)) == ["2 added, 0 updated, 0 unchanged"])
    #expect(try importer.run(Array("n,t\n1,c\n2,b\n".utf8)) == ["0 added, 1 updated, 1 unchanged"])
    #expect(try importer.device.run("list E") == ["ID  t", "1   c", "2   b"])
    var counted = try Importer(.records, Array(#"{"into": "E", "fields": {"t": "t"}}"#.utf8))
    #expect(try counted.run(Array("t\na\na\nb\n".utf8)) == ["3 added, 0 updated, 0 unchanged"])
    // Another order, and one more row: only that one is new.
    #expect(try counted.run(Array("t\nb\na\na\na\n".utf8)) == ["1 added, 0 updated, 3 unchanged"])
  }

  @Test func `rows of one key are the items of one document`() throws {
    var importer = try Importer(try Self.foodDiary(), Self.file("Imports/cronometer.map.json"))
    #expect(try importer.run(Self.file("Imports/cronometer.csv")) == ["2 added, 0 updated, 0 unchanged"])
    #expect(try importer.run(Self.file("Imports/cronometer.csv")) == ["0 added, 0 updated, 2 unchanged"])
    let meals = try importer.device.json("list meals")["meals"]?.array ?? []
    #expect(meals.map { $0["meal"]?.string } == ["breakfast", "lunch"])
    let foods = meals[0]["foods"]?.array ?? []
    #expect(foods.map { $0["name"]?.string } == ["Milk", "Milk", "Oats, rolled"])
    #expect(foods.last?["eatenAt"] == "2026-11-21T06:10:00.000Z")
    #expect(foods.last?["amount"]?.number == 60)
    #expect(foods.last?["proteinMg"] == 8100)
    // What the user removed stays removed.
    let id = try #require(meals[0]["_id"]?.string)
    let item = try #require(foods[0]["_id"]?.string)
    try importer.device.run("drop \(id) \(item)")
    #expect(try importer.run(Self.file("Imports/cronometer.csv")) == ["0 added, 0 updated, 2 unchanged"])
    try importer.device.run("set \(id) energyKcal=300")
    #expect(try importer.run(Self.file("Imports/cronometer.csv")) == ["0 added, 0 updated, 2 unchanged"])
  }

  @Test func `meals of a summary are documents without items`() throws {
    var importer = try Importer(try Self.foodDiary(), Self.file("Imports/myfitnesspal.map.json"))
    #expect(try importer.run(Self.file("Imports/myfitnesspal.csv")) == ["3 added, 0 updated, 0 unchanged"])
    let meals = try importer.device.json("list meals")["meals"]?.array ?? []
    #expect(meals.compactMap { $0["energyKcal"]?.integer }.sorted() == [412, 540, 655])
    #expect(meals.compactMap { $0["fatMg"]?.integer }.sorted() == [11_500, 18_200, 22_000])
    #expect(meals.compactMap { $0["note"]?.string } == ["canteen, large"])
  }

  private static let mapping = #"""
    {"into": "E", "decimal": ",", "dates": "dd.MM.yyyy", "leave": ["x"],
     "fields": {"on": {"from": "On", "type": "TIMESTAMP"}, "sum": {"from": "Amount", "type": "DOUBLE"}}}
    """#

  @Test(
    arguments: [
      (
        "On,Amount,x\n2.11.2026,\"1,5\",\n31.11.2026,\"1.5\",y\n",
        [
          #"f.csv:3:1: on is "31.11.2026"; expected dd.MM.yyyy, such as 21.11.2026"#,
          #"f.csv:3:12: sum is "1.5"; expected a number such as 1234,50"#,
        ]
      ),
      (
        "On,Amuont,x\n",
        [
          #"f.csv:1:1: there is no column "Amount", which the mapping names; did you mean "Amuont"?"#,
          #"f.csv:1:4: the mapping says nothing of the column "Amuont"; name it in a field, or in "leave""#,
        ]
      ),
      ("On,Amount,x\n2.11.2026,\"1,5\"\n", ["f.csv:2:1: 2 values, where the first record has 3"]),
      ("On,Amount,x\n2.11.2026,\"1,5,\n", ["f.csv:2:11: a quote that nothing closes"]),
      ("", ["f.csv: the file is empty; expected a line with the names of the columns"]),
      ("On,On,x\n", [#"f.csv:1:4: there are two columns "On""#]),
    ])
  func `a row that cannot be read is named with its place, and nothing is imported`(
    file: String, problems: [String]
  ) throws {
    #expect(try refusal(of: file, Self.mapping) == problems)
  }

  @Test(
    arguments: [
      (
        #"{"into": "E", "fields": {"t": "t"}, "decimals": ","}"#,
        [
          #"m.json:1:37: unknown member "decimals"; did you mean "decimal"?"#
        ]
      ),
      (#"{"into": "E"}"#, [#"m.json:1:1: fields is missing; expected an object such as {"title": "Description"}"#]),
      (
        #"{"fields": {"t": {"type": "STRNG", "from": "t"}}}"#,
        [
          "m.json:1:1: into is missing; it has to be the record type or collection",
          #"m.json:1:27: unknown type "STRNG"; did you mean "STRING"?"#,
        ]
      ),
      (
        #"{"into": "E", "dates": "d.m", "fields": {"a b": "t"}}"#,
        [
          #"m.json:1:24: "d.m" is no pattern of dates; expected one such as "dd.MM.yyyy" of the letters yyyy, yy, MM, MMM, dd, HH, hh, mm, ss, a"#
        ]
      ),
      (
        #"{"into": "E", "fields": {"a b": "t"}}"#,
        [
          #"m.json:1:26: "a b" is no name of a field; expected a letter, then letters, digits and _"#
        ]
      ),
      (
        #"{"into": "E", "fields": {"t": {}}}"#,
        [
          #"m.json:1:31: t has neither from nor value; expected a column, or {"value": "…"} for the same in every row"#
        ]
      ),
      (
        #"{"into": "E" "fields""#,
        [
          #"m.json:1:14: this is no JSON: expected ',' or '}' after a member, found '"'"#
        ]
      ),
    ])
  func `a mapping that is wrong is refused with places and the nearest form`(mapping: String, problems: [String]) throws
  {
    #expect(try refusal(of: "t\na\n", mapping) == problems)
  }

  @Test func `a mapping into documents is checked against their file`() throws {
    let app = try Self.foodDiary()
    #expect(
      try refusal(of: "a,b\n", #"{"into": "meal", "fields": {"day": "a"}}"#, in: app)
        == ["m.json: there is no collection meal; did you mean meals?"])
    #expect(
      try refusal(of: "a,b\n", #"{"into": "meals", "fields": {"mael": "a", "day": "b"}}"#, in: app) == [
        "m.json:1:30: meals has no member mael; did you mean meal?",
        "m.json: meals needs meal, and the mapping does not say it; it has to be one of breakfast, lunch, dinner, snack",
      ])
    #expect(
      try refusal(
        of: "a,b\n2026-11-21,brunch\n,lunch\n", #"{"into": "meals", "fields": {"day": "a", "meal": "b"}}"#, in: app)
        == [
          #"f.csv:2:12: meal is "brunch"; expected one of breakfast, lunch, dinner, snack; did you mean lunch?"#,
          "f.csv:3:1: day has no value in this row; it has to be a day from 1970 to 2199, such as 2026-11-21",
        ])
  }

  @Test func `a field of another type on the device is refused`() throws {
    var importer = try Importer(.records, Array(#"{"into": "E", "fields": {"sum": "s"}}"#.utf8))
    try importer.device.run("new E sum=1.5")
    var refusal = ""
    do { _ = try importer.run(Array("s\n1\n".utf8)) } catch { refusal = "\(error)" }
    #expect(
      refusal == #"sum of E is DOUBLE on this device, and the mapping gives it STRING; expected "type": "DOUBLE""#)
  }

  @Test func `records are exported and imported with their types`() throws {
    var device = try AppDevice(.records, account: "nanny", at: Self.start)
    try device.run(
      #"new Task as milk title="Oat milk" count=2 weight=1.5 due=now tags=[a,b] next=->x at=@1.5,2.5 pic=base64:AAEC"#)
    let interchange = try #require(DeviceApp.records.interchange)
    let file = try interchange.export(.current, device.view).files[0].text
    var other = try AppDevice(.records, account: "nanny", at: Self.start)
    try interchange.check(file)
    let answer = try interchange.merge(file, other.view)
    #expect(answer.lines() == ["1 added, 0 updated, 0 unchanged"])
    try other.save(answer)
    #expect(try other.run("show milk") == device.run("show milk"))
    #expect(try interchange.merge(file, other.view).edits == [])
    // An older version in a file does not replace a newer one.
    try other.run("set milk count=3")
    #expect(try interchange.merge(file, other.view).edits == [])
    let table = try interchange.table?("Task", other.view).files[0].text ?? []
    #expect(
      String(decoding: table, as: UTF8.self)
        == "id,at,count,due,next,pic,tags,title,weight\r\n"
        + "milk,\"@1.5,2.5\",3,2026-11-18T11:06:41.000Z,->x,base64:AAEC,\"[a,b]\",Oat milk,1.5\r\n")
  }

  @Test(arguments: [
    "[]", #"{"version":1,"app":"records","records":[{"recordName":"a"}]}"#,
    #"{"version":1,"app":"records","records":[{"recordName":"a","recordType":"T","fields":{"x":{"type":"INT64","value":"a"}}}]}"#,
  ])
  func `a file of records that is wrong is refused`(file: String) throws {
    let interchange = try #require(DeviceApp.records.interchange)
    #expect(throws: AppRefusal.self) { try interchange.check(Array(file.utf8)) }
  }
}
