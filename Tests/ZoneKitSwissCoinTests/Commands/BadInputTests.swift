import Testing
import ZoneKitAppDevice
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTables

/// What the app answers to commands that are wrong. None of them changes anything.
struct BadInputTests {
  /// A device with Ben, a group, an expense and a subscription.
  private func device() throws -> CoinDevice {
    var device = try CoinDevice()
    try device.run("person add Ben")
    try device.run("group add Flat with Ben")
    try device.run("spend 60 Dinner in Flat")
    try device.run("subscribe Music 20")
    return device
  }

  private static let amount = "expected 0.01 to 1000000000.00, with at most 2 decimals"
  private static let free = "expected 0.00 to 1000000000.00, with at most 2 decimals"

  @Test(arguments: [
    ("frobnicate", "unknown command \"frobnicate\"; the app knows \(CoinCommand.verbs.joined(separator: ", "))"),
    ("person ad Ben", "unexpected \"ad\"; after person comes add, archive or unarchive"),
    ("person", "the command ends too early; expected `add \"Ben\"`, `archive P` or `unarchive P`"),
    ("person add Ben mail x", "unexpected \"mail\"; expected one of phone NUMBER, color #AABBCC"),
    ("person add Ben color red", "\"red\" is not a color; expected # and six hexadecimal digits, such as #3366CC"),
    ("me", "the command ends too early; expected `name \"Mara\"`"),
    ("group make Flat", "unexpected \"make\"; after group comes add, join or leave"),
    ("group add Flat with Ben,", "expected persons after with, with commas between them and no blanks around"),
    (
      "list things",
      "there is no table \"things\"; there are profiles, persons, groups, members, subscriptions, subscribers, expenses, splits, payers, settlements, reminders, messages, payments, subsettlements, subreminders"
    ),
    ("list persons 0", "\"0\" is not how many rows to list; expected a whole number from 1"),
    (
      "show Dinner Dinner",
      "unexpected \"Dinner\": the command is complete before it; text with blanks goes in double quotes"
    ),
    (
      "spend 10 Tea at noon",
      "\"noon\" is not a time; expected now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"
    ),
    (
      "spend 10 Tea at 0000-01-01",
      "\"0000-01-01\" is not a time; expected now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"
    ),
    (
      "spend 10 Tea at 10000-01-01",
      "\"10000-01-01\" is not a time; expected now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"
    ),
    (
      "spend 10 Tea at -999999999d",
      "the time is outside the years 1 to 9999; expected now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"
    ),
    ("spend 10 Tea for me for me", "\"for\" comes twice; say it once"),
    ("spend 10 Tea with Ben", "unexpected \"with\"; expected one of by, for, split, in, at, note"),
    (
      "subscribe Music 20 daily",
      "unexpected \"daily\"; expected one of weekly, monthly, yearly, every N days, with P,P, from TIME"
    ),
    ("subscribe Music 20 every 0 days", "\"0\" is not a number of days; expected a whole number from 1 to 3660"),
    ("person add \"Ben", "a quote is not closed; end the text with \""),
  ])
  func `an unknown word is answered with what is expected there`(line: String, sentence: String) throws {
    var device = try device()
    #expect(try device.refusal(of: line) == sentence)
  }

  @Test(arguments: ["x", "-1", "0", "1000000000.01", "0.001", "1e3", "nan", "inf", ".5", "1.", "+1", "1,5", ""])
  func `an amount has a range and two decimals`(word: String) throws {
    var device = try device()
    let quoted = word.isEmpty ? "\"\"" : word
    #expect(try device.refusal(of: "settle \(quoted) from Ben to me") == "\"\(word)\" is not an amount; \(Self.amount)")
    guard word != "0" else { return }
    #expect(try device.refusal(of: "spend \(quoted) Tea") == "\"\(word)\" is not an amount; \(Self.free)")
    #expect(try device.refusal(of: "edit Dinner amount \(quoted)") == "\"\(word)\" is not an amount; \(Self.free)")
  }

  @Test func `the largest amount and an expense of 0 with a title are taken`() throws {
    var device = try device()
    try device.run("spend 1000000000.00 House for me,Ben")
    try device.run("spend 0 Gift")
    #expect(try device.refusal(of: #"spend 0 """#) == "an expense of 0 needs a title")
  }

  @Test(arguments: [
    ("spend 10 chf \"Tea\"", "chf"), ("spend 10 SFr. \"Tea\"", "SFr."), ("settle 10 Euro from Ben to me", "Euro"),
    ("edit Dinner currency chf", "chf"), ("edit Dinner currency CHFX", "CHFX"),
  ])
  func `a currency is three capital letters`(line: String, word: String) throws {
    var device = try device()
    #expect(
      try device.refusal(of: line) == "\"\(word)\" is not a currency; expected three capital letters, such as CHF")
  }

  @Test(arguments: [
    ("for me,Ben split percent:40,50", "the percentages add up to 90.00 of 100.00; 10.00 is missing"),
    ("for me,Ben split percent:60,50", "the percentages add up to 110.00 of 100.00; 10.00 is too much"),
    ("for me,Ben split exact:40,10", "the amounts add up to 50.00 of 60.00; 10.00 is missing"),
    ("for me,Ben split exact:40,30", "the amounts add up to 70.00 of 60.00; 10.00 is too much"),
    ("for me,Ben split shares:0,0", "all shares are 0; at least one has to be more"),
    ("for me,Ben,Ben", "Ben is named twice; name each once"),
    ("for me,me", "me is named twice; name each once"),
    ("by Ben,Ben", "Ben is named twice; name each once"),
    ("for me,Ben split shares:1", "1 number for 2 persons; say one for each"),
    ("split shares:1,2", "split shares needs the persons in order; say for P,P"),
    ("split halves", "unexpected split \"halves\"; expected one of equal, exact:A,A, percent:N,N, shares:N,N"),
    ("for me,Ben split percent:a,b", "\"a\" is not a part; expected a number from 0 to 1000000"),
    ("for me,Ben split shares:-1,2", "\"-1\" is not a part; expected a number from 0 to 1000000"),
    ("by me:20,Ben:30", "the payers' amounts add up to 50.00 of 60.00; 10.00 is missing"),
    ("by me:70,Ben", "the payers' amounts add up to 70.00 of 60.00; 10.00 is too much"),
  ])
  func `splits and payers that cannot be say their sum and what is missing`(options: String, sentence: String) throws {
    var device = try device()
    #expect(try device.refusal(of: "spend 60 Taxi \(options)") == sentence)
    #expect(try device.rows("financial_transactions").count == 1)
  }

  @Test(arguments: [
    ("settle 5 from Ben to Ben", "a person cannot settle with the same person; name two"),
    ("settle 5 from me to me", "a person cannot settle with the same person; name two"),
    ("subsettle Music 5 from Ben to Ben", "a person cannot settle with the same person; name two"),
    ("remind me", "you cannot remind yourself; name another person"),
    ("subremind Music me", "you cannot remind yourself; name another person"),
    ("say me hello", "you cannot write to yourself; name a person, a group or a subscription"),
    ("say Ben \" \"", "the text is empty"),
    ("delete me", "you cannot delete yourself"),
    ("balance me", "a balance is that of another person with you"),
    ("person add \"\"", "the name is empty"), ("person add \" \"", "the name is empty"),
    ("group add \"\"", "the name is empty"), ("me name \"\"", "the name is empty"),
    ("subscribe \"\" 5", "the name is empty"), ("edit Ben name \"\"", "the name is empty"),
    ("edit Ben name none", "name cannot be removed; expected a text"),
  ])
  func `what cannot be says why not`(line: String, sentence: String) throws {
    var device = try device()
    #expect(try device.refusal(of: line) == sentence)
  }

  @Test(arguments: ["id", "owner_id", "updated_at", "created_at", "edited_at", "changed_by", "deleted_at", "color"])
  func `a field that is not the user's names those that are`(field: String) throws {
    var device = try device()
    let group = try device.row("user_groups")
    #expect(
      try device.refusal(of: "edit Flat \(field) 2026-05-04")
        == "group Flat \(group.shortID) has no editable field \"\(field)\"; it can be edited in name, color_hex, "
        + "created_date, last_viewed_date")
    let member = try device.rows("group_members")[0]
    #expect(
      try device.refusal(of: "edit \(member.id.recordName) \(field) x").hasSuffix("it has no fields that can be edited")
    )
  }

  @Test(arguments: [
    ("edit Music is_active maybe", "\"maybe\" is no value for is_active; expected true or false"),
    (
      "edit Music notification_days_before 1.5",
      "\"1.5\" is no value for notification_days_before; expected a whole number"
    ),
    (
      "edit Music notification_days_before 3000000000",
      "\"3000000000\" is no value for notification_days_before; expected a whole number"
    ),
    ("edit Music cycle daily", "\"daily\" is not a cycle; expected one of weekly, monthly, yearly, custom"),
    ("edit Dinner group_id Nowhere", "no group has the name \"Nowhere\""),
    ("edit Dinner payer_id Nobody", "no person has the name \"Nobody\""),
  ])
  func `a value of another type names the type`(line: String, sentence: String) throws {
    var device = try device()
    #expect(try device.refusal(of: line) == sentence)
  }

  @Test func `a deleted row is restored before anything else`() throws {
    var device = try device()
    try device.run("delete Ben")
    let id = try device.person("Ben").shortID
    let sentence = "person Ben \(id) is deleted; restore it first"
    for line in [
      "edit Ben phone_number 1", "remind Ben", "settle 5 from Ben to me", "spend 5 Tea for Ben", "person archive Ben",
    ] {
      #expect(try device.refusal(of: line) == sentence)
    }
    #expect(try device.run("delete Ben") == ["person Ben \(id) is deleted already"])
  }

  @Test(arguments: [
    ("show 77", "no row begins with 77"), ("remind 77", "no person begins with 77"),
    ("show \"77\"", "no row has the name \"77\""), ("remind Zoe", "no person has the name \"Zoe\""),
    ("spend 5 Tea in Flat2", "no group has the name \"Flat2\""),
    ("show @0", "@0: expected @1, @2 ... for a row that is there"),
    ("pay Flat 5 by me", "no subscription has the name \"Flat\""),
  ])
  func `a word that stands for no row is refused`(line: String, sentence: String) throws {
    var device = try device()
    #expect(try device.refusal(of: line) == sentence)
  }

  @Test func `a text of 10,000 characters is taken, and one more is not`() throws {
    var device = try device()
    try device.run("say Ben \"\(String(repeating: "é", count: 10_000))\"")
    #expect(
      try device.refusal(of: "say Ben \"\(String(repeating: "é", count: 10_001))\"")
        == "content has 10001 characters; the limit is 10000")
    #expect(
      try device.refusal(of: "edit Dinner note \"\(String(repeating: "x", count: 10_001))\"")
        == "note has 10001 characters; the limit is 10000")
  }

  @Test func `a row with a flaw of another client can still be edited`() throws {
    var device = try device()
    try device.pull("settlements", UUID(high: 5, low: 5), ["currency": .text("chf"), "amount": .float8(5)])
    try device.run("edit settlements/@1 note odd")
    #expect(try device.row("settlements")["note"] == .text("odd"))
    #expect(try device.refusal(of: "edit settlements/@1 currency usd").hasPrefix("\"usd\" is not a currency"))
  }
}
