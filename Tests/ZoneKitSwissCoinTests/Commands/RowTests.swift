import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

struct RowTests {
  /// A device with Ben, a group with both, and an expense that both share.
  private func device() throws -> CoinDevice {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    try device.run(#"spend 84.50 "Dinner" in Flat"#)
    return device
  }

  @Test func `an edit sets a field and the stamp, and one that changes nothing writes nothing`() throws {
    var device = try device()
    let id = try device.row("financial_transactions").shortID
    #expect(try device.run("edit Dinner amount 90") == ["set amount of expense Dinner \(id)"])
    #expect(try device.row("financial_transactions")["amount"] == .float8(90))
    #expect(try device.row("financial_transactions")[.editedAt] == .timestamp(device.now))
    #expect(try device.run("edit Dinner amount 90.00") == ["expense Dinner \(id) is like that already"])
    try device.expectNoChange("edit Dinner amount 90")
  }

  @Test(
    arguments: [
      ("note \"too salty\"", "note", RowValue.text("too salty")), ("note none", "note", .null),
      ("date 2026-05-04", "date", .timestamp(WallTime(milliseconds: 1_777_852_800_000))),
      ("title \"none\"", "title", .text("none")),
      ("currency EUR", "currency", .text("EUR")), ("group_id none", "group_id", .null),
    ] as [(String, Name, RowValue)])
  func `a value has the type of its field, and none removes it`(edit: String, field: Name, value: RowValue) throws {
    var device = try device()
    if value == .null { try device.run("edit Dinner note before") }
    try device.run("edit Dinner \(edit)")
    #expect(try device.row("financial_transactions")[field] == value)
  }

  @Test func `a reference is edited with the words for its row`() throws {
    var device = try device()
    try device.run("edit Dinner payer_id Ben")
    #expect(try device.row("financial_transactions")["payer_id"] == .uuid(device.person("Ben").key.parts[0]))
    try device.run("edit Dinner payer_id me")
    #expect(try device.row("financial_transactions")["payer_id"] == .uuid(device.person("Me").key.parts[0]))
  }

  @Test func `a deletion takes the rows that the row owns along, with one stamp`() throws {
    var device = try device()
    let id = try device.row("financial_transactions").shortID
    #expect(try device.run("delete Dinner") == ["deleted expense Dinner \(id) with 2 splits"])
    let rows = try device.rows("financial_transactions") + device.rows("transaction_splits")
    #expect(rows.allSatisfy { $0[.deletedAt] == .timestamp(device.now) && $0[.editedAt] == .timestamp(device.now) })
    #expect(try device.run("list") == ["no expenses"])
    #expect(try device.run("delete Dinner") == ["expense Dinner \(id) is deleted already"])
  }

  @Test func `a restore brings back exactly what was deleted with the row`() throws {
    var device = try device()
    let id = try device.row("financial_transactions").shortID
    let split = try device.rows("transaction_splits")[0]
    try device.run("delete transaction_splits/\(split.key.text)")
    try device.run("delete Dinner")
    #expect(try device.run("restore Dinner") == ["restored expense Dinner \(id) with 1 split"])
    #expect(try device.rows("transaction_splits").filter(\.isLiving).map(\.key) != [split.key])
    #expect(try device.rows("transaction_splits").count(where: \.isLiving) == 1)
    #expect(try device.run("restore Dinner") == ["expense Dinner \(id) is not deleted"])
    try device.run("delete Dinner")
    #expect(
      try device.refusal(of: "restore \(split.shortID)")
        == "split \(split.shortID) belongs to expense Dinner \(id), which is deleted; restore that first")
  }

  @Test func `a deleted person keeps the name in history`() throws {
    var device = try device()
    try device.run("delete Ben")
    let lines = try device.run("show Dinner")
    #expect(lines.contains("  split  Ben (deleted)  42.25"))
    #expect(try device.run("list persons").count == 2)
  }

  @Test func `lists mark what waits and what was set aside`() throws {
    var device = try CoinDevice()
    let ben = UUID(high: 1, low: 1)
    try device.pull("persons", ben, ["name": .text("Ben"), "phone_number": .text("+41")])
    try device.run("person add Cara")
    let id = try device.person("Cara").shortID
    let me = try device.person("Me").shortID
    #expect(
      try device.run("list persons").sorted()
        == [" ID        NAME  PHONE NUMBER", " 00000000  Ben   +41", "·\(id)  Cara", "·\(me)  Me"].sorted())
    let cara = try #require(try device.store.record(device.person("Cara").id))
    var failed = cara
    failed.quarantine = .refused("name is too long")
    var store = device.store
    try store.commit(DeviceTransition(records: [failed]))
    let view = AppView(store: store, account: nil, wall: device.now)
    var app = try DeviceApp.swissCoin.launch(view)
    var generator = SplitMix64(seed: 1)
    let list = try app.perform("list persons", in: view, using: &generator).lines()
    #expect(list.contains("!\(id)  Cara"))
    let details = try app.perform("show Cara", in: view, using: &generator).lines()
    #expect(details[0].hasSuffix("failed: name is too long"))
  }

  @Test func `an answer in JSON has the rows as the server's interface writes them`() throws {
    var device = try CoinDevice(account: "7c0a0000-0000-4000-8000-000000000001")
    let answer = try device.perform("person add Ben")
    let members = JSON.object(answer.members(in: device.view))
    let ben = try #require(members["tables"]?["persons"]?.array?.last)
    #expect(ben["owner_id"] == "7c0a0000-0000-4000-8000-000000000001")
    #expect(ben["name"] == "Ben")
    #expect(ben["edited_at"] == "2026-05-04T07:00:01.000+00:00")
    #expect(ben["updated_at"] == .null && ben["phone_number"] == .null)
  }

  @Test func `rows that the app cannot read stay in the store and are not listed`() throws {
    var device = try CoinDevice()
    try device.pull("subscriptions", UUID(high: 1, low: 1), ["name": .text("Odd"), "cycle": .text("fortnightly")])
    try device.pull("transaction_splits", UUID(high: 1, low: 2), ["transaction_id": .uuid(UUID(high: 9, low: 9))])
    #expect(try device.run("list subscriptions") == ["no subscriptions"])
    #expect(try device.run("list splits") == ["no splits"])
    #expect(try device.rows("subscriptions").count == 1)
    var book = Book()
    try book.read(["subscriptions", "transaction_splits"], from: device.view)
    #expect(book.refusedCount == 2)
  }

  @Test func `a word finds a record for the console`() throws {
    var device = try device()
    var app = try DeviceApp.swissCoin.launch(device.view)
    let expense = try device.row("financial_transactions")
    for word in ["Dinner", "\"Dinner\"", expense.shortID, expense.id.recordName.text, expense.key.text.uppercased()] {
      let found = try app.find(word, in: device.view)
      #expect(found == expense.id)
    }
    let me = try app.find("me", in: device.view)
    #expect(try device.person("Me").id == me)
    #expect(throws: AppRefusal("no row begins with 77aa")) { _ = try app.find("77aa", in: device.view) }
    try device.run("person add Ben")
    app = try DeviceApp.swissCoin.launch(device.view)
    let ids = try device.rows("persons").filter { $0.name == "Ben" }.map { "\($0.shortID)…" }.joined(separator: ", ")
    #expect(throws: AppRefusal("\"Ben\" is 2 persons: \(ids); say the id")) { _ = try app.find("Ben", in: device.view) }
  }
}
