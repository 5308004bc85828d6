import ZoneKitRecords

/// A field whose text is JSON, taken apart for people: a list of objects by its items and their members, an object by its
/// members.
struct StructuredField {
  /// The parts by their paths, in the order of the text, such as `items["Apple"].unit`.
  private(set) var parts: [(path: String, value: String)] = []

  /// Takes the value of a field apart; nil if it is no object, no list of objects and no list of their texts.
  init?(_ field: Field) {
    switch field.value {
    case .string(let text):
      guard let json = Self.json(text) else { return nil }
      if json.object != nil {
        add(json, at: field.name.text)
      } else {
        guard let items = json.array else { return nil }
        addItems(items, of: field.name)
      }
    case .stringList(let texts): addItems(texts.compactMap(Self.json), of: field.name, count: texts.count)
    default: return nil
    }
    if parts.isEmpty { return nil }
  }

  private static func json(_ text: String) -> JSON? {
    guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    return try? JSON(parsing: text)
  }

  /// Adds the items of a list, unless one of the `count` values is no object.
  private mutating func addItems(_ items: [JSON], of name: Name, count: Int? = nil) {
    guard items.count == count ?? items.count, items.allSatisfy({ $0.object != nil }) else { return }
    let labels = items.enumerated().map { Self.label(of: $1, at: $0, among: items) }
    for (label, item) in zip(labels, items) { add(item, at: "\(name)[\(label)]") }
  }

  private mutating func add(_ json: JSON, at path: String) {
    for member in json.object ?? [] {
      if member.value.object != nil {
        add(member.value, at: "\(path).\(member.key)")
      } else if !member.value.isNull {
        parts.append(("\(path).\(member.key)", member.value.string ?? member.value.text()))
      }
    }
  }

  /// What tells an item of a list from the others: its name if no other one has it, otherwise its ID, otherwise its place.
  private static func label(of item: JSON, at place: Int, among items: [JSON]) -> String {
    if let name = item["name"]?.string, items.count(where: { $0["name"]?.string == name }) == 1 { return "\"\(name)\"" }
    return item["_id"]?.string ?? item["id"]?.string ?? "\(place)"
  }
}
