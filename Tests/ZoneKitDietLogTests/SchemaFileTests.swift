import Testing
import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords

/// The schema of stored diet logs, written once more: what was stored has to stay readable.
private enum Stored {
  static let amounts: [Name] = ["energyKcal", "proteinMg", "carbsMg", "fatMg", "fiberMg", "sugarMg", "sodiumMg"]
  static let amountMembers = amounts.map { DocumentMember($0, .integer(0...100_000_000), isOptional: true) }
  static let units = ["g", "ml", "piece", "serving", "cup", "tbsp", "tsp", "slice"]
  static let quantity = [
    DocumentMember("quantityMilli", .integer(1...100_000_000)), DocumentMember("unit", .choice(units)),
  ]
  static let brand = DocumentMember("brand", .text(1...100), isOptional: true)
  static let notes = DocumentMember("notes", .text(1...2000), isOptional: true)
  static let food = [
    DocumentMember("name", .text(1...200)), DocumentMember("foodId", .text(1...64), isOptional: true), brand,
  ]

  static let schema = DocumentSchema(
    [foodLogs, weightLogs, userGoals, recentFoods, families, familyMembers, dailySummaries],
    summary: DocumentSchema.Summary(
      "dailySummaries", of: "foodLogs", by: "loggedDate", documents: "meals", items: "items"))

  static let foodLogs = DocumentCollection(
    "foodLogs",
    [
      DocumentMember("loggedDate", .day), DocumentMember("loggedAt", .time),
      DocumentMember("mealType", .choice(["breakfast", "lunch", "dinner", "snack"])),
      DocumentMember("mealName", .text(1...100), isOptional: true),
      DocumentMember(
        "entryMethod", .choice(["search", "barcode", "photo", "manual", "voice", "copy"]), default: .string("manual")),
      notes, DocumentMember("items", .items(DocumentItems(food + quantity + amountMembers, amounts: amounts))),
    ])

  static let weightLogs = DocumentCollection(
    "weightLogs",
    [
      DocumentMember("loggedDate", .day), DocumentMember("loggedAt", .time),
      DocumentMember("weightG", .integer(1_000...700_000)),
      DocumentMember("bodyFatPermille", .integer(0...1000), isOptional: true), notes,
    ])

  static let userGoals = DocumentCollection(
    "userGoals", identity: .only("goals"),
    amountMembers + [
      DocumentMember("weightG", .integer(1_000...700_000), isOptional: true),
      DocumentMember("startDate", .day, isOptional: true),
    ])

  static let recentFoods = DocumentCollection(
    "recentFoods", identity: .member("foodId"),
    [DocumentMember("foodId", .text(1...64)), DocumentMember("name", .text(1...200)), brand] + quantity + amountMembers
      + [DocumentMember("lastUsedAt", .time)])

  static let families = DocumentCollection("families", [DocumentMember("name", .text(1...100))])

  static let familyMembers = DocumentCollection(
    "familyMembers",
    [
      DocumentMember("familyId", .documentID), DocumentMember("name", .text(1...100)),
      DocumentMember("role", .choice(["owner", "adult", "child"])),
    ])

  static let dailySummaries = DocumentCollection("dailySummaries", isDerived: true, [])
}

@Suite struct `the file of the diet log` {
  @Test func `describes the documents that are stored`() {
    for (found, stored) in zip(DietLog.schema.collections, Stored.schema.collections) { #expect(found == stored) }
    #expect(DietLog.schema == Stored.schema)
    let app = DocumentApp(
      name: "dietlog", container: "iCloud.com.example.dietlog", environment: .development, zone: "DietLog",
      schema: Stored.schema)
    #expect(DietLog.documents == app)
  }
}
