import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// The lines in which users read documents.
struct DietText {
  private let zone: TimeZoneRules

  /// Lines with times in that zone.
  init(in zone: TimeZoneRules) { self.zone = zone }

  /// The lines of an answer.
  func lines(of answer: DietAnswer) -> [String] {
    switch answer {
    case .changed(_, let said), .unchanged(let said): [Self.onOneLine(said)]
    case .list(let collection, let documents, let count): list(documents, of: collection, count)
    case .day(let day, let logs, let weights): lines(of: day, logs, weights)
    case .document(let document): details(of: document)
    case .conflicts(let conflicts):
      conflicts.isEmpty ? ["no conflict was decided yet"] : conflicts.flatMap { lines(of: $0) }.map(Self.onOneLine)
    }
  }

  // MARK: Lists

  private func list(_ documents: [DietDocument], of collection: Name, _ count: Int) -> [String] {
    guard count > 0 else { return [Self.empty(collection)] }
    let left = count - documents.count
    return table(documents, of: collection) + (left > 0 ? ["not shown: \(left) more; give a greater count"] : [])
  }

  /// What users read where a collection has no documents: how to make one.
  static func empty(_ collection: Name) -> String {
    switch collection {
    case "foodLogs": "nothing is logged yet; `log lunch` begins"
    case "recentFoods": "no food was added yet; `add last \"Oats\" 60 g` adds one"
    case "weightLogs": "no weight is logged yet; `weigh 72.5` logs one"
    case "userGoals": "there are no goals yet; `goal kcal 2000` sets one"
    case "families": "there is no family yet; `family \"Home\"` makes one"
    case "familyMembers": "no family has a member yet; `member FAMILY \"Ben\" child` adds one"
    default: "there is nothing yet"
    }
  }

  private func table(_ documents: [DietDocument], of collection: Name) -> [String] {
    if collection == "foodLogs" {
      let rows = documents.map { log in
        [
          log.shortID, log.text("loggedDate") ?? "", log.time("loggedAt")?.minuteText(in: zone) ?? "",
          log.text("mealType") ?? "",
          log.text("mealName") ?? "", "\(log.liveItems.count)", "\(log.totals["energyKcal"])",
        ]
      }
      return TextTable(header: ["ID", "DAY", title("LOGGED"), "MEAL", "NAME", "ITEMS", "KCAL"], rows: rows).lines.map(
        Self.onOneLine)
    }
    let members = DietLog.collection(collection).members.filter { $0.name != "foodId" }
    let rows = documents.map { document in [document.shortID] + members.map { text(of: document[$0.name], $0) } }
    return TextTable(header: ["ID"] + members.map { heading(of: $0) }, rows: rows).lines
      .map(Self.onOneLine)
  }

  private func heading(of member: DocumentMember) -> String {
    let word = FieldWord.word(for: member).uppercased()
    return member.kind == .time ? title(word) : word
  }

  /// The heading of a column of times: it names their zone, unless it is UTC.
  private func title(_ word: String) -> String { zone == .utc ? word : "\(word) (\(zone))" }

  private func lines(of day: String, _ logs: [DietDocument], _ weights: [DietDocument]) -> [String] {
    guard !logs.isEmpty || !weights.isEmpty else { return ["nothing is logged on \(day)"] }
    let totals = DocumentTotals(of: logs.flatMap(\.liveItems), DietLog.schema.summed)
    return table(logs, of: "foodLogs") + table(weights, of: "weightLogs") + (logs.isEmpty ? [] : [sums(totals)])
  }

  /// `total: kcal 290, protein 12.5`, without the amounts that are zero.
  private func sums(_ totals: DocumentTotals) -> String {
    let parts = amounts { totals[$0] == 0 ? nil : totals[$0] }
    return "total: \(parts.isEmpty ? "kcal 0" : parts.joined(separator: ", "))"
  }

  /// `kcal 290` and so on, for the amounts that have a value.
  private func amounts(_ value: (Name) -> Int64?) -> [String] {
    DietLog.items.members.filter { DietLog.amounts.contains($0.name) }.compactMap { member in
      value(member.name).map { "\(FieldWord.word(for: member)) \(text(of: .int64($0), member))" }
    }
  }

  // MARK: One document

  private func details(of document: DietDocument) -> [String] {
    let members = document.collection.members.filter { $0.items == nil && document[$0.name] != nil }
    let width = members.map { FieldWord.word(for: $0).count }.max() ?? 0
    let lines = members.map { member in
      let word = FieldWord.word(for: member)
      return "  \(word)\(String(repeating: " ", count: width - word.count))  \(text(of: document[member.name], member))"
    }
    let state = document.isDeleted ? ", deleted" : ""
    let isLog = document.name.collection == "foodLogs"
    return
      (["\(document.words) (\(document.name.id))\(state)"] + lines + document.items.map(line)
      + (isLog ? ["  \(sums(document.totals))"] : [])).map(Self.onOneLine)
  }

  // MARK: Conflicts

  /// A line about the decision, and for each version the members and items in which it differs from the other one.
  private func lines(of conflict: DietConflict) -> [String] {
    let (entry, decision) = (conflict.entry, "\(conflict.words): \(conflict.result) (\(conflict.entry.rule))")
    return ["\(entry.at.minuteText(in: zone))  \(decision), decided by \(entry.decidedBy)"]
      + conflict.sides.flatMap(lines)
  }

  private func lines(of side: DietConflict.Side) -> [String] {
    guard let document = side.document else {
      return ["  \(side.word): \(side.isThere ? "no document" : "removed for good")"]
    }
    let stamp = "\(document.isDeleted ? "deleted" : "edited") \(document.fields.editedAt.iso8601)"
    let parts = [stamp] + members(of: document, unlike: side.other)
    return ["  \(side.word): \(parts.joined(separator: ", "))"]
      + items(of: document, unlike: side.other).map { "  \($0)" }
  }

  private func members(of document: DietDocument, unlike other: DietDocument?) -> [String] {
    document.collection.members.filter { $0.items == nil && document[$0.name] != other?[$0.name] }.map { member in
      let value = document[member.name].map { text(of: $0, member) } ?? "none"
      return "\(FieldWord.word(for: member)) \(value)"
    }
  }

  private func items(of document: DietDocument, unlike other: DietDocument?) -> [String] {
    let others = other?.items ?? []
    return document.items.filter { !others.contains($0) }.map(line)
  }

  private func line(of item: DocumentItem) -> String {
    let json = item.json
    let quantity = DecimalWord.text(json["quantityMilli"]?.integer ?? 0, 3)
    let parts = amounts { json[$0.text]?.integer }
    let food = "\(item.name) \(quantity) \(json["unit"]?.string ?? "")"
    return "  \(item.isRemoved ? "removed " : "")\(item.id.prefix(8))  " + ([food] + parts).joined(separator: ", ")
  }

  private func text(of value: FieldValue?, _ member: DocumentMember) -> String {
    switch value {
    case .string(let text): text
    case .timestamp(let time): time.minuteText(in: zone)
    case .int64(let number): DecimalWord.text(number, FieldWord.decimals(of: member.name))
    default: ""
    }
  }

  /// The text with spaces instead of line breaks.
  private static func onOneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
