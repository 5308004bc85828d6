import Testing
import ZoneKitAppDevice
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

struct MealTests {
  /// A device with a lunch of two items.
  private func device() throws -> DietDevice {
    var device = try DietDevice()
    try device.run("log lunch as \"At work\"")
    try device.run("add last Oats 60 g kcal 220 protein 7.5 sodium 3")
    try device.run("add last \"Oat milk\" 0.25 cup kcal 30")
    return device
  }

  @Test func `a log has the words of its command, and otherwise the present time`() throws {
    var device = try DietDevice()
    #expect(
      try device.run("log dinner on 2026-11-20 at 2026-11-20T19:00:00Z by photo as Pizza")[0].hasPrefix("logged dinner")
    )
    let log = try device.document("foodLogs")
    #expect(log["mealType"] == .string("dinner") && log["loggedDate"] == .string("2026-11-20"))
    #expect(log["mealName"] == .string("Pizza") && log["entryMethod"] == .string("photo"))
    #expect(log["loggedAt"] == .timestamp(WallTime(milliseconds: 1_795_201_200_000)))
    #expect(log.items == [] && log["items"] == .stringList([]))
    try device.run("log snack")
    let snack = try #require(try device.documents("foodLogs").first { $0["mealType"] == .string("snack") })
    #expect(snack["loggedAt"] == .timestamp(device.now) && snack["entryMethod"] == .string("manual"))
    #expect(snack["loggedDate"] == .string("2026-11-21"))
  }

  @Test func `items have their amounts in the smallest unit, and the stamp of the edit`() throws {
    let device = try device()
    let log = try device.document("foodLogs")
    #expect(log.items.map { $0.json["quantityMilli"] } == [60_000, 250])
    #expect(log.items.map { $0.json["energyKcal"] } == [220, 30])
    #expect(log.items[0].json["proteinMg"] == 7_500 && log.items[0].json["sodiumMg"] == 3)
    #expect(log.items.map(\.updatedAt) == [device.now.milliseconds - 1_000, device.now.milliseconds])
    #expect(log.fields.editedAt == device.now)
  }

  @Test func `only the item that an edit changes gets its stamp`() throws {
    var device = try device()
    let before = try device.document("foodLogs").items
    try device.run("change last Oats amount 80")
    try device.run("drop last \"Oat milk\"")
    let removal = device.now
    try device.run("edit last notes good")
    let items = try device.document("foodLogs").items
    #expect(items.map(\.updatedAt) == [removal.milliseconds - 1_000, removal.milliseconds])
    #expect(items.map(\.isRemoved) == [false, true] && items[0].json["quantityMilli"] == 80_000)
    #expect(items.map(\.createdAt) == before.map(\.createdAt))
    try device.run("restore last \"Oat milk\"")
    let restored = try device.document("foodLogs")
    #expect(restored.liveItems.map(\.name) == ["Oats", "Oat milk"])
    #expect(restored.items[1].updatedAt == device.now.milliseconds && restored.fields.editedAt == device.now)
  }

  @Test func `a food is among the recent ones from the edit that adds it`() throws {
    var device = try device()
    let answer = try device.perform("add last Oats 40 g kcal 150")
    #expect(answer.edits.count == 2)
    let oats = try #require(try device.documents("recentFoods").first { $0["name"] == .string("Oats") })
    #expect(oats["quantityMilli"] == .int64(40_000) && oats["energyKcal"] == .int64(150) && oats["proteinMg"] == nil)
    #expect(oats["lastUsedAt"] == .timestamp(device.now) && oats["foodId"] == .string(oats.name.id))
    #expect(try device.documents("recentFoods").count == 2)
  }

  @Test func `a food is eaten again as it was the last time`() throws {
    var device = try device()
    try device.run("log snack")
    try device.run("again Oats")
    let snack = try #require(try device.documents("foodLogs").first { $0["mealType"] == .string("snack") })
    #expect(snack.items.map { $0.json["proteinMg"] } == [7_500] && snack.items[0].name == "Oats")
    #expect(try device.run("recent 1")[1].contains("Oats"))
    #expect(try device.refusal(of: "again Rice") == "no recent food has the name \"Rice\"; `recent` lists them")
  }

  @Test func `last is the log that was edited last on this device, also after a launch`() throws {
    var device = try device()
    let lunch = try device.document("foodLogs")
    try device.run("log snack")
    try device.run("change \(lunch.name.id) Oats kcal 230")
    try device.relaunch()
    #expect(try device.run("show last")[0].hasPrefix("lunch \(lunch.shortID)"))
    var other = try DietDevice()
    #expect(
      try other.refusal(of: "add last Oats 60 g") == "no log was edited on this device yet; `log lunch` makes one")
  }

  @Test func `a log takes 100 items that are not removed`() throws {
    var device = try DietDevice()
    try device.run("log lunch")
    for number in 1...100 { try device.run("add last F\(number) 1 g") }
    let refusal = try device.refusal(of: "add last More 1 g")
    #expect(refusal.hasSuffix("has 100 items, at most 100 are taken; begin another log"))
    try device.run("drop last F1")
    #expect(try device.refusal(of: "add last More 1 g") == "")
  }

  @Test func `an edit that changes nothing says so and changes nothing`() throws {
    var device = try device()
    for line in [
      "change last Oats kcal 220", "edit last mealName \"At work\"", "restore last", "change last Oats brand none",
    ] {
      let answer = try device.perform(line)
      #expect(answer.edits.isEmpty && answer.lines().count == 1, "\(line)")
    }
  }

  @Test func `lists show what is not deleted, the newest log first`() throws {
    var device = try device()
    let shown = try device.run("show last").dropFirst()
    #expect(shown.contains("  mealName     At work") && shown.last == "  total: kcal 250, protein 7.5, sodium 3")
    try device.run("log snack at -2h")
    try device.run("log dinner at -1h")
    #expect(try device.json("list 2")["foodLogs"]?.array?.map { $0["mealType"]?.string } == ["lunch", "dinner"])
    #expect(try device.run("list 2").last == "not shown: 1 more; give a greater count")
    try device.run("delete last")
    #expect(try device.json("list")["foodLogs"]?.array?.count == 2)
    let day = try device.json("day")
    #expect(day["totals"]?["energyKcal"] == 250 && day["day"] == "2026-11-21")
    #expect(try device.run("day").last == "total: kcal 250, protein 7.5, sodium 3")
    #expect(try device.run("day 2020-01-01") == ["nothing is logged on 2020-01-01"])
  }

  @Test func `answers name the documents that changed`() throws {
    var device = try DietDevice()
    let answer = try device.json("log lunch")
    let log = try device.document("foodLogs")
    #expect(answer["records"] == .array([.string("foodLogs.\(log.name.id)")]) && answer["kinds"] == ["log"])
    #expect(try device.json("add last Oats 60 g")["kinds"] == ["log", "food"])
    #expect(try device.json("show last")["document"]?["items"]?.array?.count == 1)
    #expect(try device.json("delete last")["kinds"] == [.null])
  }
}
