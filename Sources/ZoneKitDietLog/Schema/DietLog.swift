import ZoneKitDocuments
import ZoneKitRecords

/// The documents of the diet log, a food diary for one person on several devices.
package enum DietLog {
  /// The app as a server of documents sees it.
  package static let documents = DocumentApp(
    name: "dietlog", container: "iCloud.com.example.dietlog", environment: .development, zone: "DietLog",
    schema: schema)

  /// The amounts of a food, in the order in which answers list them.
  static let amounts: [Name] = ["energyKcal", "proteinMg", "carbsMg", "fatMg", "fiberMg", "sugarMg", "sodiumMg"]

  /// The units of quantities.
  static let units = ["g", "ml", "piece", "serving", "cup", "tbsp", "tsp", "slice"]

  /// The seven collections, in the order in which answers list them.
  package static let schema = DocumentSchema(
    [foodLogs, weightLogs, userGoals, recentFoods, families, familyMembers, dailySummaries],
    items: [
      DocumentMember("name", .text(200)), DocumentMember("foodId", .text(64), isOptional: true), brand,
    ] + quantity + amountMembers,
    amounts: amounts, summary: DocumentSchema.Summary("dailySummaries", of: "foodLogs", by: "loggedDate"))

  private static let amountMembers = amounts.map { DocumentMember($0, .integer(0...100_000_000), isOptional: true) }
  private static let quantity = [
    DocumentMember("quantityMilli", .integer(1...100_000_000)), DocumentMember("unit", .choice(units)),
  ]
  private static let brand = DocumentMember("brand", .text(100), isOptional: true)
  private static let notes = DocumentMember("notes", .text(2000), isOptional: true)

  private static let foodLogs = DocumentCollection(
    "foodLogs",
    [
      DocumentMember("loggedDate", .day), DocumentMember("loggedAt", .time),
      DocumentMember("mealType", .choice(["breakfast", "lunch", "dinner", "snack"])),
      DocumentMember("mealName", .text(100), isOptional: true),
      DocumentMember(
        "entryMethod", .choice(["search", "barcode", "photo", "manual", "voice", "copy"]), default: .string("manual")),
      notes, DocumentMember("items", .items),
    ])

  private static let weightLogs = DocumentCollection(
    "weightLogs",
    [
      DocumentMember("loggedDate", .day), DocumentMember("loggedAt", .time),
      DocumentMember("weightG", .integer(1_000...700_000)),
      DocumentMember("bodyFatPermille", .integer(0...1000), isOptional: true), notes,
    ])

  private static let userGoals = DocumentCollection(
    "userGoals", identity: .only("goals"),
    amountMembers + [
      DocumentMember("weightG", .integer(1_000...700_000), isOptional: true),
      DocumentMember("startDate", .day, isOptional: true),
    ])

  private static let recentFoods = DocumentCollection(
    "recentFoods", identity: .member("foodId"),
    [DocumentMember("foodId", .text(64)), DocumentMember("name", .text(200)), brand] + quantity + amountMembers
      + [DocumentMember("lastUsedAt", .time)])

  private static let families = DocumentCollection("families", [DocumentMember("name", .text(100))])

  private static let familyMembers = DocumentCollection(
    "familyMembers",
    [
      DocumentMember("familyId", .documentID), DocumentMember("name", .text(100)),
      DocumentMember("role", .choice(["owner", "adult", "child"])),
    ])

  private static let dailySummaries = DocumentCollection("dailySummaries", isDerived: true, [])
}
