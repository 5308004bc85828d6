import Testing
import ZoneKitAppDevice
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

struct ExpenseTests {
  /// A device with Ben, Cara, and a group of all three.
  private func device() throws -> CoinDevice {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("person add Cara")
    try device.run("group add Flat with Ben,Cara")
    return device
  }

  /// The amounts of the splits by name, in ascending order of names.
  private func splits(_ device: CoinDevice) throws -> [String] {
    try parts(device, "transaction_splits", "owed_by_id")
  }

  private func payers(_ device: CoinDevice) throws -> [String] {
    try parts(device, "transaction_payers", "paid_by_id")
  }

  private func parts(_ device: CoinDevice, _ table: Name, _ column: Name) throws -> [String] {
    let persons = try device.rows("persons")
    return try device.rows(table).map { row in
      let person = persons.first { .uuid($0.key.parts[0]) == row[column] }
      return "\(person?.name ?? "?") \(row["amount"].number ?? -1)"
    }.sorted()
  }

  @Test func `I pay an expense, and everybody of the group shares it equally`() throws {
    var device = try device()
    let said = try device.run(#"spend 84.51 "Dinner" in Flat note "at home""#)
    let expense = try device.row("financial_transactions")
    #expect(said == ["spent 84.51 CHF for Dinner \(expense.shortID)"])
    #expect(expense["amount"] == .float8(84.51) && expense["currency"] == .text("CHF"))
    #expect(expense["split_method"] == .text("equal") && expense["note"] == .text("at home"))
    #expect(expense["date"] == .timestamp(device.now))
    let me = try device.person("Me").key.parts[0]
    #expect(expense["payer_id"] == .uuid(me) && expense["created_by_id"] == .uuid(me))
    #expect(try splits(device) == ["Ben 28.17", "Cara 28.17", "Me 28.17"])
    #expect(try payers(device) == [])
    let stamps = Set(try (device.rows("transaction_splits") + [expense]).map { $0[.editedAt] })
    #expect(stamps == [.timestamp(device.now)], "one command gives one stamp")
  }

  @Test(arguments: [
    ("for Ben,Cara", ["Ben 30.0", "Cara 30.0"]), ("for all", ["Ben 20.0", "Cara 20.0", "Me 20.0"]), ("", ["Me 60.0"]),
    ("by Ben", ["Ben 30.0", "Me 30.0"]), ("by Ben for Cara", ["Cara 60.0"]),
    ("for me,Ben split exact:20,40", ["Ben 40.0", "Me 20.0"]),
    ("for me,Ben split percent:25,75", ["Ben 45.0", "Me 15.0"]),
    ("for me,Ben,Cara split shares:1,2,0", ["Ben 40.0", "Cara 0.0", "Me 20.0"]),
    ("for me,Ben split equal", ["Ben 30.0", "Me 30.0"]),
  ])
  func `an expense is shared as the command says`(options: String, expected: [String]) throws {
    var device = try device()
    try device.run("spend 60 Taxi \(options)")
    #expect(try splits(device) == expected)
  }

  @Test func `what the user typed is kept for percent and shares, and only if it is more than 0`() throws {
    var device = try device()
    try device.run("spend 60 Taxi for me,Ben split shares:1,0")
    #expect(try device.rows("transaction_splits").map { $0["raw_amount"].number ?? -1 }.sorted() == [-1, 1])
    try device.run("delete Taxi")
    try device.run("spend 60 Bus for me,Ben split exact:60,0")
    let living = try device.rows("transaction_splits").filter(\.isLiving)
    #expect(living.allSatisfy { $0["raw_amount"] == .null })
  }

  @Test func `several payers have rows, and those without an amount share the rest`() throws {
    var device = try device()
    try device.run("spend 60 EUR Taxi by me:20,Ben,Cara at 2026-05-01 for all")
    let expense = try device.row("financial_transactions")
    #expect(expense["payer_id"] == .null && expense["currency"] == .text("EUR"))
    #expect(expense["date"] == .timestamp(WallTime(milliseconds: 1_777_593_600_000)))
    #expect(try payers(device) == ["Ben 20.0", "Cara 20.0", "Me 20.0"])
  }

  @Test func `balances are in sentences, and settlements settle them`() throws {
    var device = try device()
    try device.run("spend 84.50 Dinner for me,Ben")
    try device.run("spend 10 EUR Tea by Ben for me")
    #expect(try device.run("balance Ben") == ["Ben owes you 42.25 CHF", "you owe Ben 10.00 EUR"])
    try device.run("settle 42.25 from Ben to me full")
    try device.run("settle 10 EUR from me to Ben note cash")
    #expect(
      try device.run("balance")
        == ["Ben is settled", "Cara is settled"].sorted { _, _ in
          ((try? device.person("Ben").key) ?? RowKey([])) > ((try? device.person("Cara").key) ?? RowKey([]))
        })
    let settlements = try device.rows("settlements")
    #expect(settlements.count(where: { $0["is_full_settlement"] == .bool(true) }) == 1)
  }

  @Test func `splits that do not add up are shown and not repaired`() throws {
    var device = try device()
    try device.run("spend 60 Taxi for me,Ben")
    try device.run("edit Taxi amount 70")
    #expect(try device.run("list")[1].hasSuffix("splits 60.00 of 70.00"))
    #expect(try device.run("show Taxi").last == "  splits 60.00 of 70.00")
    #expect(try splits(device) == ["Ben 30.0", "Me 30.0"])
  }

  @Test func `messages and reminders name their row`() throws {
    var device = try device()
    try device.run("spend 60 Taxi for me,Ben")
    try device.run(#"say Ben "thanks" on Taxi"#)
    try device.run(#"say Flat "hello""#)
    let messages = try device.rows("chat_messages")
    let expense = try device.row("financial_transactions").key.parts[0]
    #expect(messages.count { $0["with_person_id"] != .null && $0["on_transaction_id"] == .uuid(expense) } == 1)
    #expect(messages.count { $0["with_group_id"] != .null && $0["on_transaction_id"] == .null } == 1)
    #expect(messages.allSatisfy { $0["is_from_user"] == .bool(true) })
    try device.run(#"remind Ben 30 "the taxi""#)
    let reminder = try device.row("reminders")
    #expect(reminder["amount"] == .float8(30) && reminder["message"] == .text("the taxi"))
    try device.run("remind Cara please")
    #expect(try device.rows("reminders").contains { $0["amount"] == .float8(0) && $0["message"] == .text("please") })
  }

  @Test func `a subscription has subscribers, payments, settlements and reminders, which go with it`() throws {
    var device = try device()
    try device.run("subscribe Music 19.90 every 10 days with Ben from 2026-05-01")
    let music = try device.row("subscriptions")
    #expect(music["cycle"] == .text("custom") && music["custom_cycle_days"] == .int4(10))
    #expect(music["is_shared"] == .bool(true) && music["is_active"] == .bool(true))
    try device.run("pay Music 19.90 by me")
    try device.run("subsettle Music 9.95 from Ben to me")
    try device.run("subremind Music Ben 9.95")
    let said = try device.run("delete Music")
    #expect(
      said == [
        "deleted subscription Music \(music.shortID) with 1 subscriber, 1 payment, 1 subscription settlement, "
          + "1 subscription reminder"
      ])
    #expect(try device.run("list payments") == ["no payments"])
    try device.run("restore Music")
    #expect(try device.run("list payments").count == 2)
    try device.run("subscribe Paper 5")
    let paper = try #require(try device.rows("subscriptions").first { $0.name == "Paper" })
    #expect(paper["cycle"] == .text("monthly") && paper["custom_cycle_days"] == .null)
  }
}
