import Testing
import ZoneKitAppDevice
import ZoneKitDietLog
import ZoneKitRecords

/// What the app answers to commands that are wrong. None of them changes anything.
struct BadInputTests {
  private static let units = "g, ml, piece, serving, cup, tbsp, tsp, slice"

  @Test(arguments: [
    ("frobnicate", "unknown command \"frobnicate\"; the app knows \(DietCommand.verbs.joined(separator: ", "))"),
    ("log", "the command ends too early; expected breakfast, lunch, dinner or snack"),
    ("log brunch", "meal has to be one of breakfast, lunch, dinner, snack"),
    ("log lunch as A as B", "\"as\" comes twice; say it once"),
    ("log lunch with B", "unexpected \"with\"; expected as, on, at, by"),
    ("log lunch by guess", "entryMethod has to be one of search, barcode, photo, manual, voice, copy"),
    ("log lunch on today", "\"today\" is no day; expected one from 1970 to 2199, such as 2026-11-21"),
    ("log lunch on 2026-02-30", "\"2026-02-30\" is no day; expected one from 1970 to 2199, such as 2026-11-21"),
    (
      "log lunch at noon",
      "\"noon\" is not a time; expected now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"
    ),
    ("log lunch at 2200-01-01", "time has to be a time from 1970 to 2199, such as 2026-11-21T06:06:01.308Z"),
    ("log lunch as \"\"", "mealName has to be a text of 1 to 100 characters"),
    ("weigh", "the command ends too early; expected a weight in kg, such as 72.5"),
    ("weigh 0.9", "\"0.9\" is no value for weight; expected a number from 1 to 700 with at most 3 decimals"),
    ("weigh 70.1234", "\"70.1234\" is no value for weight; expected a number from 1 to 700 with at most 3 decimals"),
    ("weigh none", "weight cannot be removed; it has to be a number from 1 to 700 with at most 3 decimals"),
    ("weigh 70 fat 100.1", "\"100.1\" is no value for fat; expected a number from 0 to 100 with at most 1 decimal"),
    ("weigh 70 as A", "unexpected \"as\"; expected fat, on, at"),
    (
      "goal speed 3",
      "the document of goals has no field \"speed\" to edit; there are kcal, protein, carbs, fat, fiber, sugar, sodium, weight, start"
    ),
    ("goal kcal many", "\"many\" is no value for kcal; expected a whole number from 0 to 100000000"),
    ("goal kcal 1.5", "\"1.5\" is no value for kcal; expected a whole number from 0 to 100000000"),
    ("goal start soon", "\"soon\" is no value for start; expected a day from 1970 to 2199, such as 2026-11-21"),
    ("add last Oats 60 grams", "grams is no unit; there are \(units)"),
    (
      "add last Oats 0 g",
      "\"0\" is no value for amount; expected a number from 0.001 to 100000 with at most 3 decimals"
    ),
    (
      "add last Oats -1 g",
      "\"-1\" is no value for amount; expected a number from 0.001 to 100000 with at most 3 decimals"
    ),
    ("add last Oats 60", "the command ends too early; expected a unit: \(units)"),
    ("add last Oats 60 g kcal 1 kcal 2", "\"kcal\" comes twice; say it once"),
    ("add last Oats 60 g salt 2", "unexpected \"salt\"; expected kcal, protein, carbs, fat, fiber, sugar, sodium"),
    ("add last Oats 60 g fat none", "none is no number for fat; leave fat out"),
    ("add zzz Oats 60 g", "no log has an ID that begins with \"zzz\"; `list` shows what is there"),
    ("add last \"\" 60 g", "name has to be a text of 1 to 200 characters"),
    ("change last Rice kcal 5", "LOG has no item \"Rice\"; `show ID` lists them"),
    (
      "change last Oats colour red",
      "an item has no field \"colour\" to edit; there are name, brand, amount, unit, kcal, protein, carbs, fat, fiber, sugar, sodium"
    ),
    ("change last Oats unit kg", "\"kg\" is no value for unit; expected one of \(units)"),
    ("change last Oats name none", "name cannot be removed; it has to be a text of 1 to 200 characters"),
    ("drop last Rice", "LOG has no item \"Rice\"; `show ID` lists them"),
    ("drop last @0", "@0: expected @1, @2 ... for one that is there"),
    ("restore last Oats", "LOG has no removed item; `show ID` lists its items"),
    ("member @1 Ben uncle", "there is no family yet; `family \"Home\"` makes one"),
    ("family", "the command ends too early; expected a name, in double quotes where it has blanks"),
    (
      "edit last items []",
      "LOG has no field \"items\" to edit; there are day, time, meal, mealName, entryMethod, notes"
    ),
    ("edit last meal brunch", "\"brunch\" is no value for meal; expected one of breakfast, lunch, dinner, snack"),
    ("edit last meal none", "meal cannot be removed; it has to be one of breakfast, lunch, dinner, snack"),
    ("delete", "the command ends too early; expected the id of a document"),
    ("delete xyz", "no document has an ID that begins with \"xyz\"; `list` shows what is there"),
    ("list things", "\"things\" is no list; there are logs, weights, goals, families, members"),
    ("list 0", "\"0\" is no count; expected a whole number above 0"),
    ("list logs many", "\"many\" is no count; expected a whole number above 0"),
    ("day tomorrow", "\"tomorrow\" is no day; expected one from 1970 to 2199, such as 2026-11-21"),
    ("show last now", "unexpected \"now\": the command is complete before it; text with blanks goes in double quotes"),
    ("log \"lunch", "a quote is not closed; end the text with \""),
  ])
  func `a wrong command is answered with what would be right`(line: String, sentence: String) throws {
    var device = try DietDevice()
    try device.run("log lunch")
    try device.run("add last Oats 60 g")
    let log = try device.document("foodLogs")
    let expected = sentence.replacing("LOG", with: "lunch \(log.shortID)").replacing(
      "show ID", with: "show \(log.shortID)")
    #expect(try device.refusal(of: line) == expected)
    #expect(try device.document("foodLogs") == log)
  }

  @Test func `a document that is too large is refused`() throws {
    var device = try DietDevice()
    try device.run("log lunch")
    let name = String(repeating: "ä", count: 200)
    for _ in 0..<100 { try device.run("add last \(name) 1 g") }
    #expect(try device.document("foodLogs").liveItems.count == 100)
    #expect(try device.refusal(of: "edit last notes \(String(repeating: "x", count: 2_001))").contains("is no value"))
  }
}
