import ZoneKitDietLog
import ZoneKitDocuments
import ZoneKitRecords

/// Documents of the diet log, written down or drawn at random.
enum Samples {
  static let schema = DietLog.schema
  static let logs = collection("foodLogs")
  static let items = logs.items?.items ?? DocumentItems([])
  static let merge = DocumentMerge(logs)
  static let stamp = WallTime(milliseconds: 1_795_240_000_000)
  static let amounts: [Name] = ["energyKcal", "proteinMg", "carbsMg", "fatMg", "fiberMg", "sugarMg", "sodiumMg"]

  static func collection(_ name: Name) -> DocumentCollection {
    schema.collection(name) ?? DocumentCollection(name, [])
  }

  static func time(_ milliseconds: Int64) -> WallTime { stamp.advanced(byMilliseconds: milliseconds) }

  /// The canonical bytes of fields.
  static func bytes(_ fields: Fields) -> [UInt8] { EncodedFields(fields).utf8 }

  static func parsed(_ text: String) -> JSON { (try? JSON(parsing: text)) ?? .null }

  // MARK: Written down

  /// An item with those members, edited at that many milliseconds after `stamp`.
  static func item(_ id: String, at: Int64 = 0, _ members: [String: JSON] = [:], isRemoved: Bool = false) -> JSON {
    var all: [String: JSON] = [
      "_id": .string(id), "name": "Oats", "quantityMilli": 60_000, "unit": "g",
      "createdAt": .integer(stamp.milliseconds), "updatedAt": .integer(time(at).milliseconds),
    ]
    if isRemoved { all["deleted"] = 1 }
    all.merge(members) { $1 }
    return .object(all.keys.sorted().map { JSON.Member($0, all[$0] ?? .null) })
  }

  /// A lunch with those items, edited at that many milliseconds after `stamp`.
  static func lunch(
    at: Int64 = 0, _ items: [JSON] = [], notes: String? = nil, name: String? = nil, isDeleted: Bool = false
  ) -> Fields {
    var fields = Fields()
    fields["loggedDate"] = .string("2026-11-21")
    fields["loggedAt"] = .timestamp(stamp)
    fields["mealType"] = .string("lunch")
    fields["entryMethod"] = .string("manual")
    fields["notes"] = notes.map { .string($0) }
    fields["mealName"] = name.map { .string($0) }
    fields[.documentStamp] = .timestamp(time(at))
    fields[.deleted] = isDeleted ? .int64(1) : nil
    fields.set(items.compactMap(DocumentItem.init), in: "items")
    return fields
  }

  /// A lunch as a client sends it.
  static let sentLunch = parsed(
    """
    {"loggedDate":"2026-11-21","loggedAt":"2026-11-21T12:00:00Z","mealType":"lunch",
    "items":[{"_id":"A","name":"Oats","quantityMilli":60000,"unit":"g"}]}
    """)

  // MARK: At random

  /// A document of the collection. Its times, texts and items are from so few that two documents often have the same.
  static func document(of collection: DocumentCollection, using generator: inout SplitMix64) -> Fields {
    var fields = Fields()
    for member in collection.members {
      if member.items != nil {
        fields.set(items(using: &generator), in: member.name)
      } else if !member.isOptional || Bool.random(using: &generator) {
        fields[member.name] = value(of: member, using: &generator)
      }
    }
    if Bool.random(using: &generator) { fields[.extra] = .string(extra(using: &generator)) }
    guard collection.name != .conflicts else { return fields }
    fields[.documentStamp] = .timestamp(time(Int64.random(in: 0...2, using: &generator)))
    if Int.random(in: 0...3, using: &generator) == 0 { fields[.deleted] = .int64(1) }
    return fields
  }

  static func value(of member: DocumentMember, using generator: inout SplitMix64) -> FieldValue {
    switch member.kind {
    case .text(let range): .string(text(upTo: min(range.upperBound, 64), using: &generator))
    case .day: .string(["1970-01-01", "2026-02-28", "2199-12-31"].randomElement(using: &generator) ?? "")
    case .time:
      .timestamp(
        WallTime(milliseconds: [0, stamp.milliseconds, 7_258_118_399_999].randomElement(using: &generator) ?? 0))
    case .integer(let range):
      .int64(
        [range.lowerBound, range.upperBound, Int64.random(in: range, using: &generator)]
          .randomElement(using: &generator) ?? range.lowerBound)
    case .number(let range): .double([range.lowerBound, range.upperBound, 0.1].randomElement(using: &generator) ?? 0.1)
    case .boolean: .int64(Int64.random(in: 0...1, using: &generator))
    case .choice(let words): .string(words.randomElement(using: &generator) ?? "")
    case .documentID: .string("F-\(Int.random(in: 0...3, using: &generator))_x")
    case .items: .unknownList
    }
  }

  static func text(upTo limit: Int, using generator: inout SplitMix64) -> String {
    let letters = ["a", "Z", " ", "\"", "\\", "\n", "\u{0}", "é", "e\u{301}", "😀", "/", "\u{2028}"]
    let count = Int.random(in: 1...max(1, limit / 2), using: &generator)
    return (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
  }

  static func extra(using generator: inout SplitMix64) -> String {
    let values: [JSON] = [1, "é", 2.5, true, [1, .null], .object([JSON.Member("deep", .array([]))])]
    let members = ["colour", "deleted", "parts", "ü"].filter { _ in Bool.random(using: &generator) }
      .map { JSON.Member($0, values.randomElement(using: &generator) ?? true) }
    return JSON.object([JSON.Member("a", 1)] + members).text(.canonical)
  }

  static func items(using generator: inout SplitMix64) -> [DocumentItem] {
    ["A", "B-1", "a", "_"].filter { _ in Bool.random(using: &generator) }.compactMap { id in
      var members: [JSON.Member] = [JSON.Member("_id", .string(id))]
      for member in items.members where !member.isOptional || Int.random(in: 0...3, using: &generator) == 0 {
        switch value(of: member, using: &generator) {
        case .string(let text): members.append(JSON.Member(member.name.text, .string(text)))
        case .int64(let number): members.append(JSON.Member(member.name.text, .integer(number)))
        default: break
        }
      }
      members.append(JSON.Member("createdAt", .integer(stamp.milliseconds)))
      members.append(
        JSON.Member("updatedAt", .integer(time(Int64.random(in: -1...1, using: &generator)).milliseconds)))
      if Bool.random(using: &generator) { members.append(JSON.Member("deleted", 1)) }
      if Bool.random(using: &generator) { members.append(JSON.Member("extra", .string(extra(using: &generator)))) }
      return DocumentItem(.object(members))
    }
  }

  /// Any JSON value, of the names and words that documents have.
  static func json(depth: Int, using generator: inout SplitMix64) -> JSON {
    let keys = [
      "_id", "name", "items", "loggedDate", "loggedAt", "mealType", "quantityMilli", "unit", "totals", "updatedAt",
      "deletedAt", "extra", "familyId", "foodId", "createdAt", "zone", "meals", "energyKcal",
    ]
    switch Int.random(in: 0...(depth > 0 ? 9 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return .integer([0, 1, 60_000, .max, .min].randomElement(using: &generator) ?? 0)
    case 3: return .number([3.0, 1e300, -0.5].randomElement(using: &generator) ?? 0)
    case 4: return .string(["", "g", "lunch", "A", "goals"].randomElement(using: &generator) ?? "")
    case 5: return .string(["2026-11-21", "2026-11-21T00:00:00Z", "2026-02-30"].randomElement(using: &generator) ?? "")
    case 6: return .string(text(upTo: 8, using: &generator))
    case 7:
      return .array(
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in json(depth: depth - 1, using: &generator) })
    default:
      return .object(
        (0..<Int.random(in: 0...12, using: &generator)).map { _ in
          JSON.Member(keys.randomElement(using: &generator) ?? "", json(depth: depth - 1, using: &generator))
        })
    }
  }
}
