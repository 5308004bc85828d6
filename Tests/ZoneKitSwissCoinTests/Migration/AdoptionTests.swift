import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync
import ZoneKitTables

struct AdoptionTests {
  private let account = UUID(high: 0xA, low: 1)
  private var name: Name { Name(account.text) }

  /// A device of nobody with Ben, a group, an expense, a settlement, a message and a subscription with all its parts.
  private func device() throws -> CoinDevice {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    try device.run("spend 60 Dinner by me:20,Ben:40 in Flat")
    try device.run("spend 10 Tea by me for me,Ben")
    try device.run("settle 5 from me to Ben")
    try device.run("remind Ben 5")
    try device.run("say Ben hello")
    try device.run("subscribe Music 20 with me,Ben")
    try device.run("pay Music 20 by me")
    try device.run("subsettle Music 10 from Ben to me")
    try device.run("subremind Music Ben")
    return device
  }

  private func adopted(_ device: CoinDevice) throws -> Adoption {
    let records = try device.store.pending(in: nil, after: 0, limit: .max)
    return try CoinAdoption.rule(
      Adoption(account: name, records: records, appValues: try device.store.appValues()))
  }

  private func rows(_ adoption: Adoption) throws -> [CoinRow] {
    try adoption.records.map { try #require(try CoinRow($0, owner: account)) }
  }

  private func text(of record: LocalRecord) -> String {
    String(decoding: record.local?.fields.utf8 ?? [], as: UTF8.self)
  }

  private func notes(_ adoption: Adoption) -> [RowNote] {
    MigrationRecord(adoption.appValues["migration"])?.notes ?? []
  }

  @Test func `the user's person becomes the account's in every column that names a person`() throws {
    let device = try device()
    let me = try #require(try device.store.appValues()["me"]?.text.flatMap { UUID($0) })
    let before = try device.store.pending(in: nil, after: 0, limit: .max)
    let named = before.count { text(of: $0).contains(me.text) }
    #expect(named > 10)
    let adoption = try adopted(device)
    for record in adoption.records {
      let fields = text(of: record)
      #expect(!fields.contains(me.text))
      #expect(!record.recordID.recordName.text.contains(me.text))
    }
    #expect(adoption.appValues["me"] == nil)
    #expect(RowPromises.violations(in: try rows(adoption), former: me) == [])
    #expect(adoption.records.count == before.count + 1, "the profile is new")
    #expect(notes(adoption) == [])
  }

  @Test func `the simulation names a row that did not become the account's as it was`() throws {
    let device = try device()
    let records = try device.store.pending(in: nil, after: 0, limit: .max)
    let before = Adoption(account: name, records: records, appValues: try device.store.appValues())
    let right = try adopted(device)
    let judge = DeviceApp.swissCoin.simulation.judgeAdoption
    #expect(judge(before, right) == nil)
    var wrong = right
    let expense = try #require(wrong.records.firstIndex { $0.recordType == "financial_transactions" })
    let id = wrong.records[expense].recordID
    var fields = try #require(try wrong.records[expense].local?.fields.decoded())
    fields["title"] = nil
    wrong.records[expense].local = RecordContent(fields: EncodedFields(fields))
    #expect(judge(before, wrong) == "record \(id.words) lost its title when it became the account's")
    wrong.records.remove(at: expense)
    #expect(judge(before, wrong) == "record \(id.words) is not the account's, without a note")
    wrong.records.append(
      try #require(before.records.first { text(of: $0).contains(before.appValues["me"]?.text ?? "-") }))
    #expect(judge(before, wrong)?.hasSuffix("names the former person") == true)
  }

  @Test func `every reference to persons of the schema is rewritten`() throws {
    let old = UUID(high: 1, low: 1)
    for table in SwissCoin.schema.tables where table.name != "persons" {
      for column in table.columns where column.foreignKey?.table == "persons" {
        var row = Row(table.columns.map(\.defaultValue))
        for key in table.key { row[key, table] = .uuid(UUID(high: 2, low: 2)) }
        row[column.name, table] = .uuid(old)
        let record = LocalRecord(
          recordID: RecordID(
            recordName: Name("\(table.name)/\(try #require(RowKey(row, of: table)).text)"), zoneID: SwissCoin.zoneID),
          recordType: table.name, local: RecordContent(fields: EncodedFields(row.fields(of: table))))
        let renamed = try #require(try CoinRow(record, owner: account)).renaming(old, to: account)
        #expect(renamed[column.name] == .uuid(account), "\(table.name).\(column.name)")
        #expect(!renamed.key.text.contains(old.text))
      }
    }
  }

  @Test func `profile and self person come first, and stamps stay as they were`() throws {
    var device = try device()
    try device.run("me name Mara")
    let named = device.now
    try device.run("edit me phone_number +41")
    let rows = try rows(try adopted(device))
    #expect(rows.prefix(2).map(\.id.recordName) == [Name("profiles/\(name)"), Name("persons/\(name)")])
    #expect(rows[0]["display_name"] == .text("Mara") && rows[0]["phone"] == .text("+41"))
    #expect(rows[0][.editedAt] == rows[1][.editedAt] && rows[0][.createdAt] == .null)
    #expect(rows[1][.editedAt] == .timestamp(named.advanced(byMilliseconds: 1_000)))
    let ben = try #require(rows.first { $0.name == "Ben" })
    #expect(ben[.editedAt] == (try device.person("Ben")[.editedAt]))
  }

  @Test func `another person with the account's ID refuses the adoption`() throws {
    var device = try device()
    try device.pull("persons", account, ["name": .text("Zoe")])
    var records = try device.store.pending(in: nil, after: 0, limit: .max)
    let zoe = try #require(try device.store.record(device.person("Zoe").id))
    records.append(LocalRecord(recordID: zoe.recordID, recordType: "persons", local: zoe.local))
    let adoption = Adoption(account: name, records: records, appValues: try device.store.appValues())
    #expect(throws: StoreError.self) { try CoinAdoption.rule(adoption) }
  }

  @Test func `rows that were deleted before they were sent stay behind unless a living row refers to them`() throws {
    var device = try device()
    try device.run("person add Cara")
    try device.run("delete Cara")
    try device.run("delete Ben")
    try device.run("delete Tea")
    let rows = try rows(try adopted(device))
    #expect(rows.contains { $0.name == "Ben" && !$0.isLiving })
    #expect(!rows.contains { $0.name == "Cara" || $0.name == "Tea" })
    #expect(RowPromises.violations(in: rows) == [])
  }

  /// A record of nobody with those values.
  private func record(_ table: Name, _ name: String, _ values: [Name: RowValue]) throws -> LocalRecord {
    let table = try #require(SwissCoin.schema.table(table))
    var row = Row(table.columns.map(\.defaultValue))
    for (column, value) in values { row[column, table] = value }
    return LocalRecord(
      recordID: RecordID(recordName: Name("\(table.name)/\(name)"), zoneID: SwissCoin.zoneID), recordType: table.name,
      local: RecordContent(fields: EncodedFields(row.fields(of: table))))
  }

  private func adopted(_ records: [LocalRecord]) throws -> Adoption {
    try CoinAdoption.rule(
      Adoption(account: name, records: records, appValues: ["me": .text(UUID(high: 1, low: 1).text)]))
  }

  @Test func `old rows get stamps, IDs and the person Unknown, which are listed, and a repeat gives the same`() throws {
    let expense = UUID(high: 3, low: 3)
    let stamp = RowValue.timestamp(WallTime(milliseconds: 5_000))
    let records = [
      try record(
        "financial_transactions", expense.text, ["id": .uuid(expense), "title": .text("Old"), "created_at": stamp]),
      try record("transaction_splits", "1", ["transaction_id": .uuid(expense), "edited_at": stamp]),
      try record("transaction_splits", "2", ["transaction_id": .uuid(expense), "edited_at": stamp]),
      try record("transaction_splits", "3", ["edited_at": stamp]),
    ]
    let adoption = try adopted(records)
    let rows = try rows(adoption)
    #expect(rows.first { $0.name == "Old" }?[.editedAt] == stamp)
    let splits = rows.filter { $0.table.name == "transaction_splits" }
    #expect(splits.count == 2 && splits.allSatisfy { $0.key.text.dropFirst(14).first == "8" })
    let unknown = try #require(rows.first { $0.name == "Unknown" })
    #expect(splits.allSatisfy { $0["owed_by_id"] == .uuid(unknown.key.parts[0]) })
    #expect(rows.count { $0.name == "Unknown" } == 1)
    let places = notes(adoption).map(\.place)
    #expect(places.contains("financial_transactions/\(expense.text)"))
    #expect(places.contains("transaction_splits/1") && places.contains("transaction_splits/3"))
    #expect(try adopted(records) == adoption)
    #expect(RowPromises.violations(in: rows) == [])
  }

  @Test func `two rows that become one pair leave the greater one, and the other is listed`() throws {
    let group = UUID(high: 3, low: 3)
    let me = UUID(high: 1, low: 1)
    func pair(_ person: UUID, _ stamp: Int64, deleted: Bool) throws -> LocalRecord {
      var values: [Name: RowValue] = [
        "group_id": .uuid(group), "person_id": .uuid(person), "edited_at": .timestamp(WallTime(milliseconds: stamp)),
      ]
      if deleted { values["created_at"] = .timestamp(WallTime(milliseconds: 1)) }
      return try record("group_members", "\(group.text).\(person.text)", values)
    }
    let records = [
      try record(
        "user_groups", group.text,
        ["id": .uuid(group), "name": .text("Flat"), "edited_at": .timestamp(WallTime(milliseconds: 1))]),
      try pair(me, 1_000, deleted: true), try pair(account, 2_000, deleted: false),
    ]
    for order in [[0, 1, 2], [0, 2, 1]] {
      let adoption = try adopted(order.map { records[$0] })
      let pairs = try rows(adoption).filter { $0.table.name == "group_members" }
      #expect(pairs.map { $0[.editedAt] } == [.timestamp(WallTime(milliseconds: 2_000))])
      #expect(notes(adoption).map(\.reason) == ["two rows became this one; the greater one was kept"])
    }
  }

  @Test func `a reference to nothing is removed, and a part without its owner row stays behind`() throws {
    let expense = UUID(high: 3, low: 3)
    let stamp = RowValue.timestamp(WallTime(milliseconds: 5_000))
    let lost = RowValue.uuid(UUID(high: 9, low: 9))
    let adoption = try adopted([
      try record("financial_transactions", expense.text, ["id": .uuid(expense), "edited_at": stamp, "group_id": lost]),
      try record(
        "transaction_splits", UUID(high: 4, low: 4).text,
        ["id": .uuid(UUID(high: 4, low: 4)), "transaction_id": lost, "owed_by_id": lost, "edited_at": stamp]),
      try record(
        "transaction_splits", UUID(high: 4, low: 5).text,
        ["id": .uuid(UUID(high: 4, low: 5)), "transaction_id": .uuid(expense), "owed_by_id": lost, "edited_at": stamp]),
    ])
    let rows = try rows(adoption)
    #expect(rows.first { $0.table.name == "financial_transactions" }?["group_id"] == .null)
    #expect(rows.count { $0.table.name == "transaction_splits" } == 1)
    #expect(rows.contains { $0.name == "Unknown" })
    #expect(notes(adoption).count == 3)
    #expect(RowPromises.violations(in: rows) == [])
  }

  @Test func `rows in are rows there and rows listed`() throws {
    let device = try device()
    let adoption = try adopted(device)
    let record = try #require(MigrationRecord(adoption.appValues["migration"]))
    #expect(record.account == account && record.phase == .running)
    #expect(record.found == (try device.store.pending(in: nil, after: 0, limit: .max)).count)
    // The profile is made; the person is one of the rows that were there.
    #expect(record.adopted.values.reduce(0, +) == record.found + 1)
  }

  @Test func `photos follow their rows, and other values stay`() throws {
    let me = UUID(high: 1, low: 1)
    let adoption = try CoinAdoption.rule(
      Adoption(
        account: name, records: [],
        appValues: [
          "me": .text(me.text), "store": .text("s"), "photo/persons/\(me.text)": .text("a"),
          "photo/user_groups/x": .text("b"),
        ]))
    #expect(
      adoption.appValues == [
        "store": .text("s"), "photo/persons/\(name)": .text("a"), "photo/user_groups/x": .text("b"),
      ])
    #expect(adoption.records.isEmpty, "without rows there is nothing to migrate")
  }

  @Test func `an account that is no UUID changes nothing`() throws {
    let device = try device()
    let records = try device.store.pending(in: nil, after: 0, limit: .max)
    let adoption = Adoption(account: "nanny", records: records, appValues: try device.store.appValues())
    #expect(try CoinAdoption.rule(adoption) == adoption)
  }
}
