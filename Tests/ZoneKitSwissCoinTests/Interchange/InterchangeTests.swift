import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

struct InterchangeTests {
  private let interchange: DeviceApp.Interchange

  init() throws { interchange = try #require(DeviceApp.swissCoin.interchange) }

  private func exported(_ device: CoinDevice) throws -> String {
    let export = try interchange.export(.all, device.view)
    #expect(export.files.map(\.name) == ["SwissCoin.json"] && export.remark == nil)
    return String(decoding: export.files[0].text, as: UTF8.self)
  }

  /// Imports a text, and returns the lines of the report.
  @discardableResult
  private func importing(_ text: String, into device: inout CoinDevice) throws -> [String] {
    let answer = try interchange.merge(Array(text.utf8), device.view)
    try device.save(answer)
    return answer.lines()
  }

  private func full() throws -> CoinDevice {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    try device.run("spend 60 Dinner by me:20,Ben:40 in Flat")
    try device.run("subscribe Music 20 with Ben")
    try device.run("pay Music 20 by me")
    try device.run("say Ben hello")
    try device.run("delete Music")
    return device
  }

  private func rows(_ device: CoinDevice) throws -> [CoinRow] {
    try SwissCoin.schema.tables.flatMap { try device.rows($0.name) }
  }

  @Test func `a file has all rows in the form of the server's interface`() throws {
    var device = try CoinDevice(account: "7c0a0000-0000-4000-8000-000000000001")
    try device.pull(
      "persons", UUID(high: 1, low: 1),
      ["name": .text("Ben"), "color_hex": .text("blue"), "edited_at": .timestamp(device.now)])
    let text = try exported(device)
    #expect(
      text
        == #"{"version":1,"app":"SwissCoin","exportedAt":"2026-05-04T07:00:00.000Z","tables":{"profiles":[],"persons":["#
        + #"{"id":"00000000-0000-0001-0000-000000000001","owner_id":"7c0a0000-0000-4000-8000-000000000001","name":"Ben","#
        + #""phone_number":null,"photo_url":null,"color_hex":"blue","is_archived":false,"last_viewed_date":null,"#
        + #""created_at":null,"updated_at":"2026-05-04T07:00:00.000+00:00","deleted_at":null,"#
        + #""edited_at":"2026-05-04T07:00:00.000+00:00","changed_by":"other"}],"#
        + #""user_groups":[],"group_members":[],"subscriptions":[],"subscription_subscribers":[],"#
        + #""financial_transactions":[],"transaction_splits":[],"transaction_payers":[],"settlements":[],"reminders":[],"#
        + #""chat_messages":[],"subscription_payments":[],"subscription_settlements":[],"subscription_reminders":[]}}"#
        + "\n")
  }

  @Test func `another device gets all rows, also deleted ones and pairs, and a second import changes nothing`() throws {
    let device = try full()
    let text = try exported(device)
    var other = try CoinDevice()
    let count = try rows(device).count
    #expect(try importing(text, into: &other) == ["\(count) added, 0 updated, 0 unchanged, 0 refused"])
    #expect(try rows(other) == rows(device))
    #expect(try importing(text, into: &other) == ["0 added, 0 updated, \(count) unchanged, 0 refused"])
    #expect(try interchange.merge(Array(text.utf8), other.view).isReadOnly)
  }

  private func expense(_ amount: String, _ more: String = "") -> String {
    #"{"version":1,"app":"SwissCoin","tables":{"financial_transactions":[{"id":"9ba7b810-9dad-41d1-80b4-00c04fd430c9","#
      + #""title":"x","amount":\#(amount),"date":"2026-01-01T00:00:00Z","edited_at":"2026-01-01T00:00:00Z"\#(more)}]}}"#
  }

  @Test(arguments: ["12345678901234567890", "9007199254740993", "-5", "1.005", "1.004999", "1000000000.01", "1e99"])
  func `an amount that no user could write is refused as it is written`(amount: String) throws {
    var device = try CoinDevice()
    let lines = try importing(expense(amount), into: &device)
    #expect(
      lines == [
        "0 added, 0 updated, 0 unchanged, 1 refused",
        "refused /tables/financial_transactions/0/amount: \"\(amount)\" is not an amount; "
          + "expected 0.00 to 1000000000.00, with at most 2 decimals",
      ])
  }

  @Test(arguments: ["0", "1.5", "1.50", "84.05", "1e2", "1000000000.00", "\"3.10\""])
  func `an amount with at most two decimals is taken`(amount: String) throws {
    var device = try CoinDevice()
    #expect(try importing(expense(amount), into: &device)[0].hasSuffix(" 0 refused"))
  }

  @Test func `a column that the table does not have is named`() throws {
    var device = try CoinDevice()
    let lines = try importing(expense("1", #","colour":"red","owner_id":null"#), into: &device)
    #expect(lines[0].hasSuffix("0 refused, 1 value kept out"))
    #expect(
      lines.contains("kept out /tables/financial_transactions/0/colour: financial_transactions has no such column"))
  }

  @Test func `of two versions of a row the greater one stays`() throws {
    var device = try full()
    let before = try exported(device)
    try device.run("edit Ben phone_number 1")
    let after = try exported(device)
    var other = try CoinDevice()
    try importing(after, into: &other)
    #expect(try importing(before, into: &other)[0].hasPrefix("0 added, 0 updated"))
    #expect(try other.person("Ben")["phone_number"] == .text("1"))
    var third = try CoinDevice()
    try importing(before, into: &third)
    #expect(try importing(after, into: &third)[0].hasPrefix("0 added, 1 updated"))
    #expect(try third.person("Ben")[.editedAt] == device.person("Ben")[.editedAt], "an import stamps nothing")
  }

  @Test(arguments: [
    ("{", "the file is no JSON"), ("[]", "expected an object, found an array"),
    (
      #"{"app":"NannyAndMe","version":1,"tables":{}}"#,
      #"/app: expected "SwissCoin", found "NannyAndMe"; the file belongs to another app"#
    ),
    (#"{"app":"SwissCoin","version":2,"tables":{}}"#, "/version: expected 1, found 2"),
    (#"{"app":"SwissCoin","tables":{}}"#, "/version: expected 1, found nothing"),
    (#"{"app":"SwissCoin","version":1}"#, "/tables: expected an object of tables"),
    (
      #"{"app":"SwissCoin","version":1,"tables":{"people":[]}}"#,
      "/tables/people: there is no such table; expected profiles, "
    ),
    (
      #"{"app":"SwissCoin","version":1,"tables":{"persons":{}}}"#,
      "/tables/persons: expected a list of rows, found an object"
    ),
    (
      #"{"app":"SwissCoin","version":1,"tables":{"persons":[{"name":"Ben"},3]}}"#,
      "/tables/persons/1: expected a row, found an integer"
    ),
  ])
  func `a malformed file is refused as a whole`(text: String, start: String) throws {
    let device = try CoinDevice()
    for attempt in [
      { try interchange.check(Array(text.utf8)) }, { _ = try interchange.merge(Array(text.utf8), device.view) },
    ] {
      do {
        try attempt()
        Issue.record("the file was taken")
      } catch let refusal as AppRefusal {
        #expect(refusal.description.hasPrefix(start))
      }
    }
  }

  private func file(_ tables: String) -> String { #"{"app":"SwissCoin","version":1,"tables":{\#(tables)}}"# }

  @Test func `a row that cannot be merged is refused alone, with its place`() throws {
    var device = try CoinDevice()
    let id = UUID(high: 1, low: 1).text
    let lines = try importing(
      file(
        #""persons":[{"id":"\#(id)","name":"Ben"},{"id":"x","name":"Cara"},{"name":null},{"id":"\#(id)","name":"Zoe"}],"#
          + #""profiles":[{"id":"\#(id)"}],"#
          + #""group_members":[{"group_id":"\#(id)","person_id":"\#(id)"}],"#
          + #""transaction_splits":[{"owed_by_id":"\#(id)","amount":1}],"#
          + #""settlements":[{"id":"\#(id)","amount":-5,"from_person_id":"\#(id)","to_person_id":"\#(id)"}]"#),
      into: &device)
    #expect(lines[0] == "1 added, 0 updated, 0 unchanged, 7 refused")
    #expect(
      lines.contains(
        #"refused /tables/persons/1/id: expected a UUID such as 4ba7b810-9dad-41d1-80b4-00c04fd430c8, found "x""#))
    #expect(lines.contains("refused /tables/persons/2: name is missing"))
    #expect(lines.contains("refused /tables/persons/0: the ID comes twice; the greater of the two is used"))
    #expect(lines.contains("refused /tables/profiles/0: it is the profile of another account"))
    #expect(
      lines.contains(
        "refused /tables/group_members/0: group_id names a row that is neither in the file nor on the device"))
    #expect(lines.contains("refused /tables/transaction_splits/0: it names no expense in transaction_id"))
    #expect(lines.contains { $0.hasPrefix("refused /tables/settlements/0/amount: \"-5\" is not an amount") })
    #expect(try rows(device).map(\.name) == ["Zoe"])
  }

  @Test func `old rows get IDs, stamps and the person Unknown, the same in each import`() throws {
    let expense = UUID(high: 1, low: 1).text
    let old = file(
      #""financial_transactions":[{"id":"\#(expense)","title":"Old","created_at":"2026-01-02T03:04:05Z"}],"#
        + #""transaction_splits":[{"transaction_id":"\#(expense)","amount":5},{"transaction_id":"\#(expense)","amount":6}]"#
    )
    var device = try CoinDevice()
    let lines = try importing(old, into: &device)
    #expect(lines[0] == "4 added, 0 updated, 0 unchanged, 0 refused")
    #expect(lines.count { $0.hasPrefix("completed /tables/transaction_splits/") } == 6)
    #expect(
      lines.contains(
        "completed /tables/financial_transactions/0: it had no edit stamp and has that of its creation now"))
    #expect(try device.row("persons").name == "Unknown")
    #expect(try device.rows("transaction_splits").allSatisfy { $0.key.text.dropFirst(14).first == "8" })
    #expect(try importing(old, into: &device) == ["0 added, 0 updated, 4 unchanged, 0 refused"])
    #expect(
      try device.row("financial_transactions")[.editedAt] == .timestamp(WallTime(milliseconds: 1_767_323_045_000)))
  }

  @Test func `a row that the device cannot read is not replaced`() throws {
    var device = try CoinDevice()
    try device.pull("subscriptions", UUID(high: 1, low: 1), ["name": .text("Odd"), "cycle": .text("fortnightly")])
    let lines = try importing(
      file(
        #""subscriptions":[{"id":"\#(UUID(high: 1, low: 1).text)","name":"New","edited_at":"2026-05-04T07:00:00Z"}]"#),
      into: &device)
    #expect(
      lines[1]
        == "refused /tables/subscriptions/0: the device has a row of that ID that this version of the app cannot read")
  }

  @Test func `a single profile cannot be exported`() throws {
    let device = try CoinDevice()
    #expect(throws: AppRefusal.self) { try interchange.export(.named("Mara"), device.view) }
    _ = try interchange.export(.current, device.view)
  }
}
