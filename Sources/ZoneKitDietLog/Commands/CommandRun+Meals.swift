import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// Logs and their items.
extension CommandRun {
  /// `log MEAL …`.
  mutating func log(
    _ meal: String, _ options: DietCommand.LogOptions, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    let day = try day(of: options.day)
    let log = try make(
      "foodLogs",
      [
        ("mealType", .string(meal)), ("loggedDate", .string(day)),
        ("loggedAt", .timestamp((options.time ?? .now).resolved(now: now, in: zone))),
        ("entryMethod", .string(options.method ?? "manual")), ("mealName", options.name.map { .string($0) }),
        ("items", .stringList([])),
      ], using: &generator)
    return said("logged \(log.words) on \(day)")
  }

  /// `add LOG "FOOD" AMOUNT UNIT …`: the item, and its food among the recent ones.
  mutating func add(
    _ food: DietCommand.NewFood, to word: String, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    guard DietLog.units.contains(food.unit) else {
      throw AppRefusal("\(food.unit) is no unit; there are \(DietLog.units.joined(separator: ", "))")
    }
    var members: [Name: FieldValue] = ["name": .string(food.name), "unit": .string(food.unit)]
    let amounts = food.amounts + [DietCommand.NewFood.Amount(word: "amount", value: food.amount)]
    for amount in amounts {
      let field = try FieldWord(amount.word, among: DietLog.items.members, of: "an item")
      guard let value = try field.value(amount.value, now: now, in: zone) else {
        throw AppRefusal("none is no number for \(amount.word); leave \(amount.word) out")
      }
      members[field.member.name] = value
    }
    members["foodId"] = .string(ContentHash.of([Array(food.name.utf8)]))
    return try eat(members, in: try log(word), using: &generator)
  }

  /// `again "FOOD" [to LOG]`: an item like the last one of that food.
  mutating func again(
    _ food: CommandWords.Word, to word: String, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    let foods = diary.listed(in: "recentFoods")
    var known = foods.first { $0.text("name") == food.text }
    if known == nil, !food.isQuoted, !foods.isEmpty { known = try? diary.find(food.text, in: ["recentFoods"]) }
    guard let known, !known.isDeleted else {
      throw AppRefusal("no recent food has the name \"\(food.text)\"; `recent` lists them")
    }
    var members: [Name: FieldValue] = [:]
    for member in DietLog.items.members { members[member.name] = known[member.name] }
    return try eat(members, in: try log(word), using: &generator)
  }

  /// Adds an item with those members to a log, and puts its food first among the recent ones.
  private mutating func eat(
    _ members: [Name: FieldValue], in log: DietDocument, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    try demandAlive(log)
    guard log.liveItems.count < DietLog.liveItemLimit else {
      throw AppRefusal(
        "\(log.words) has \(log.liveItems.count.counted("item")), at most \(DietLog.liveItemLimit) are taken; "
          + "begin another log")
    }
    var json: [JSON.Member] = [
      JSON.Member("_id", .string(RandomIdentifier.uuid(using: &generator))),
      JSON.Member("createdAt", .integer(now.milliseconds)), JSON.Member("updatedAt", .integer(now.milliseconds)),
    ]
    for member in DietLog.items.members {
      guard let value = members[member.name] else { continue }
      json.append(JSON.Member(member.name.text, try Self.json(value, of: member)))
    }
    guard let item = DocumentItem(.object(json)) else { throw AppRefusal("the item cannot be stored") }
    try save(log.with(log.items + [item]))
    try remember(members)
    return said("added \(item.name) to \(log.words)")
  }

  private static func json(_ value: FieldValue, of member: DocumentMember) throws(AppRefusal) -> JSON {
    guard member.accepts(value) else {
      throw AppRefusal("\(FieldWord.word(for: member)) has to be \(member.expectation)")
    }
    return switch value {
    case .string(let text): .string(text)
    case .int64(let number): .integer(number)
    default: .null
    }
  }

  /// Writes the document of a food that is eaten now.
  private mutating func remember(_ members: [Name: FieldValue]) throws(AppRefusal) {
    guard case .string(let id)? = members["foodId"], DocumentID.isValid(id) else { return }
    let name = DocumentName("recentFoods", id)
    var food = diary.document(name) ?? DietDocument(name, Fields())
    food[.deleted] = nil
    food["lastUsedAt"] = .timestamp(now)
    for member in food.collection.members where member.name != "lastUsedAt" { food[member.name] = members[member.name] }
    try save(food)
  }

  /// `change LOG ITEM FIELD VALUE`.
  mutating func change(
    _ word: String, _ item: CommandWords.Word, _ field: String, _ typed: CommandWords.Word
  ) throws(AppRefusal) -> DietAnswer {
    let log = try log(word)
    try demandAlive(log)
    let item = try Diary.item(item, of: log, isRemoved: false)
    let editable = DietLog.items.members.filter { $0.name != "foodId" }
    let field = try FieldWord(field, among: editable, of: "an item")
    let value = try field.value(typed, now: now, in: zone)
    let changed = item.setting(
      field.member.name.text,
      try value.map { (value) throws(AppRefusal) in
        try Self.json(value, of: field.member)
      })
    guard changed != item else { return .unchanged(said: "\(item.name) is like that already") }
    try save(log.with(log.items.map { $0.id == item.id ? changed : $0 }))
    return said("changed \(field.word) of \(item.name)")
  }

  /// `drop LOG ITEM`. The removed item stays in the document.
  mutating func drop(_ word: String, _ item: CommandWords.Word) throws(AppRefusal) -> DietAnswer {
    let log = try log(word)
    try demandAlive(log)
    let item = try Diary.item(item, of: log, isRemoved: false)
    try save(log.with(log.items.map { $0.id == item.id ? item.setting("deleted", 1) : $0 }))
    return said("removed \(item.name) from \(log.words)")
  }

  /// `restore LOG ITEM`.
  mutating func restore(_ item: CommandWords.Word, of word: String) throws(AppRefusal) -> DietAnswer {
    let log = try log(word)
    try demandAlive(log)
    let item = try Diary.item(item, of: log, isRemoved: true)
    try save(log.with(log.items.map { $0.id == item.id ? item.setting("deleted", nil) : $0 }))
    return said("restored \(item.name) in \(log.words)")
  }
}

extension DietDocument {
  /// The document with those items.
  fileprivate func with(_ items: [DocumentItem]) -> DietDocument {
    var document = self
    document.fields.set(items, in: "items")
    return document
  }
}
