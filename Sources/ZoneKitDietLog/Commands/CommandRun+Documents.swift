import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// Weights, goals, families, and commands for any document.
extension CommandRun {
  /// `weigh KG …`.
  mutating func weigh(
    _ weight: CommandWords.Word, _ options: DietCommand.LogOptions, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    let members = DietLog.collection("weightLogs").members
    let kilograms = try FieldWord("weight", among: members, of: "a weight")
    let fat = try options.fat.map { (word) throws(AppRefusal) in
      try FieldWord("fat", among: members, of: "a weight").value(word, now: now, in: zone)
    }
    let grams = try kilograms.value(weight, now: now, in: zone)
    let document = try make(
      "weightLogs",
      [
        ("weightG", grams), ("bodyFatPermille", fat ?? nil), ("loggedDate", .string(try day(of: options.day))),
        ("loggedAt", .timestamp((options.time ?? .now).resolved(now: now, in: zone))),
      ], using: &generator)
    return said("weighed \(weight.text) kg, \(document.words)")
  }

  /// `goal FIELD VALUE|none`: all goals are one document.
  mutating func goal(_ field: String, _ typed: CommandWords.Word) throws(AppRefusal) -> DietAnswer {
    let name = DocumentName("userGoals", "goals")
    var goals = diary.document(name) ?? DietDocument(name, Fields())
    let field = try FieldWord(field, among: goals.collection.members, of: "the document of goals")
    let value = try field.value(typed, now: now, in: zone)
    guard goals[field.member.name] != value || goals.isDeleted else {
      return .unchanged(said: "the goal for \(field.word) is like that already")
    }
    goals[field.member.name] = value
    goals[.deleted] = nil
    try save(goals)
    return said(value == nil ? "there is no goal for \(field.word)" : "the goal for \(field.word) is \(typed.text)")
  }

  /// `family "NAME"`.
  mutating func family(
    _ name: String, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    let family = try make("families", [("name", .string(name))], using: &generator)
    return said("added \(family.words) \(family.shortID)")
  }

  /// `member FAMILY "NAME" ROLE`.
  mutating func member(
    _ family: String, _ name: String, _ role: String, using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> DietAnswer {
    let family = try diary.find(family, in: ["families"])
    try demandAlive(family)
    let member = try make(
      "familyMembers",
      [("familyId", .string(family.name.id)), ("name", .string(name)), ("role", .string(role))], using: &generator)
    return said("added \(member.words) to \(family.words)")
  }

  // MARK: Any document

  /// `edit ID FIELD VALUE`.
  mutating func edit(
    _ word: String, _ field: String, _ typed: CommandWords.Word
  ) throws(AppRefusal) -> DietAnswer {
    var document = try document(word)
    try demandAlive(document)
    let fixed: Set<Name> = ["items", "foodId", "familyId"]
    let members = document.collection.members.filter { !fixed.contains($0.name) }
    let field = try FieldWord(field, among: members, of: document.words)
    let value = try field.value(typed, now: now, in: zone)
    guard document[field.member.name] != value else {
      return .unchanged(said: "\(document.words) is like that already")
    }
    let words = document.words
    document[field.member.name] = value
    try save(document)
    return said("set \(field.word) of \(words)")
  }

  /// `delete ID`: the document, and with a family its members, in one transaction.
  mutating func delete(_ word: String) throws(AppRefusal) -> DietAnswer {
    let document = try document(word)
    guard !document.isDeleted else { return .unchanged(said: "\(document.words) is deleted already") }
    let members = document.members(in: diary).filter { !$0.isDeleted }
    for document in [document] + members { try remove(document) }
    let count = members.isEmpty ? "" : " with \(members.count.counted("member"))"
    return said("deleted \(document.words)\(count)")
  }

  /// `restore ID`: the document, and with a family the members that were deleted with it.
  mutating func restore(_ word: String) throws(AppRefusal) -> DietAnswer {
    let document = try document(word)
    guard document.isDeleted else { return .unchanged(said: "\(document.words) is not deleted") }
    // Each document of a command has a later stamp than the one before it, and the family comes first.
    let members = document.members(in: diary).filter {
      $0.isDeleted && $0.fields.editedAt >= document.fields.editedAt
    }
    for var document in [document] + members {
      document[.deleted] = nil
      try save(document)
    }
    return said("restored \(document.words)\(members.isEmpty ? "" : " with \(members.count.counted("member"))")")
  }

  // MARK: Lists

  /// `list` and `recent`.
  func list(_ collection: Name, _ limit: Int?) -> DietAnswer {
    let documents = diary.listed(in: collection)
    return .list(collection, Array(documents.prefix(limit ?? 20)), of: documents.count)
  }

  /// `conflicts [N]`.
  func conflicts(_ limit: Int?) throws(AppRefusal) -> DietAnswer {
    do throws(StoreError) {
      return .conflicts(try view.store.conflicts(limit: limit ?? 5).map { DietConflict($0) })
    } catch {
      throw AppRefusal("\(error)")
    }
  }

  /// `day [DATE]`.
  func day(_ word: String?) throws(AppRefusal) -> DietAnswer {
    let day = try day(of: word)
    func ofDay(_ collection: Name) -> [DietDocument] {
      diary.listed(in: collection).filter { $0.text("loggedDate") == day }
    }
    return .day(day, ofDay("foodLogs"), weights: ofDay("weightLogs"))
  }
}

extension DietDocument {
  /// The members of a family; none for any other document.
  fileprivate func members(in diary: Diary) -> [DietDocument] {
    name.collection == "families" ? diary.members(ofFamily: name.id) : []
  }
}
