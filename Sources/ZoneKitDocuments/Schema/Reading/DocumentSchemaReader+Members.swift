import ZoneKitRecords

/// The members of documents and items.
extension DocumentSchemaReader {
  private static let totals = "x-zonekit-totals"
  /// The types that a member can have.
  private static let types = ["string", "integer", "number", "boolean", "array"]
  private static let formats = ["date", "date-time", "document-id"]

  /// The members of a document or an item. Those with a problem may be missing.
  mutating func members(of schema: JSONNode, inItem: Bool) -> [DocumentMember] {
    let keys = ["type", "properties", "required", "additionalProperties"]
    checkKeywords(of: schema, inItem ? keys + [Self.totals] : keys)
    checkType(of: schema, is: "object")
    checkAdditional(of: schema)
    guard let properties = schema["properties"], let count = properties.json.object?.count, count > 0 else {
      report(schema["properties"] ?? schema, "\"properties\" has to be an object with at least one member")
      return []
    }
    guard count <= Self.memberLimit else {
      report(properties, "there are \(count) members, at most \(Self.memberLimit) are allowed")
      return []
    }
    let named = properties.members
    let required = required(of: schema, named.map(\.key))
    let reserved = DocumentForm.metadata.union(DocumentForm.fields).union(inItem ? ["createdAt"] : [])
    let owner = inItem ? "every item has it" : "every document has it"
    var members: [DocumentMember] = []
    for property in named {
      checkName(property, reserved: reserved, of: owner)
      let isRequired = required.contains(property.key)
      guard let node = resolved(property.value),
        let member = member(Name(property.key), node, isRequired: isRequired, inItem: inItem)
      else { continue }
      if member.items != nil {
        if !isRequired {
          report(property.value, isKey: true, "\"\(property.key)\" has to be in \"required\": items are always there")
        }
        if members.contains(where: { $0.items != nil }) {
          report(property.value, isKey: true, "a second list of items is not supported; put the items into one list")
        }
      }
      members.append(member)
    }
    return members
  }

  private mutating func required(of schema: JSONNode, _ known: [String]) -> Set<String> {
    guard let node = schema["required"] else { return [] }
    let names = texts(node, "required", "names of members")
    for (name, node) in names where !known.contains(name) {
      report(node, "there is no member \"\(name)\"" + Self.guess(for: name, among: known))
    }
    return Set(names.map(\.text))
  }

  private mutating func member(
    _ name: Name, _ node: JSONNode, isRequired: Bool, inItem: Bool
  ) -> DocumentMember? {
    guard let kind = kind(of: node, name, inItem: inItem) else { return nil }
    var member = DocumentMember(name, kind, isOptional: !isRequired)
    guard let given = node["default"], member.items == nil else { return member }
    guard let value = member.value(given.json) else {
      report(given, "\"default\" is \(given.json.excerpt); it has to be \(member.expectation)")
      return nil
    }
    (member.defaultValue, member.isOptional) = (value, false)
    return member
  }

  // MARK: Types

  private mutating func kind(of node: JSONNode, _ name: Name, inItem: Bool) -> DocumentMember.Kind? {
    if let words = node["enum"] { return choice(node, words) }
    guard let type = node["type"] else {
      report(node, "\"type\" of \"\(name)\" is missing; there are \(Self.types.joined(separator: ", "))")
      return nil
    }
    switch type.json.string {
    case "string": return text(node)
    case "integer": return integer(node)
    case "number": return number(node)
    case "boolean":
      checkKeywords(of: node, ["type", "default"])
      return .boolean
    case "array" where inItem: report(type, "a list inside of an item is not supported; give the item other members")
    case "array": return items(node)
    case "object":
      report(type, "a member of type \"object\" is not supported; give the document its members, or a list of items")
    case let word?: report(type, "unknown type \"\(word)\"" + Self.guess(for: word, among: Self.types))
    case nil:
      report(
        type,
        "\"type\" is \(type.json.excerpt); it has to be one of \(Self.types.joined(separator: ", ")). A member that is "
          + "not in \"required\" may be null")
    }
    return nil
  }

  private mutating func choice(_ node: JSONNode, _ words: JSONNode) -> DocumentMember.Kind? {
    checkKeywords(of: node, ["type", "enum", "default"])
    if node["type"] != nil { checkType(of: node, is: "string") }
    let found = texts(words, "enum", "texts")
    guard let count = words.json.array?.count else { return nil }
    guard (1...Self.wordLimit).contains(count) else {
      report(words, "\"enum\" has \(count) texts; it has to have 1 to \(Self.wordLimit)")
      return nil
    }
    return found.count == count ? .choice(found.map(\.text)) : nil
  }

  private mutating func text(_ node: JSONNode) -> DocumentMember.Kind? {
    if let format = node["format"] {
      checkKeywords(of: node, ["type", "format", "default"])
      switch format.json.string {
      case "date": return .day
      case "date-time": return .time
      case "document-id": return .documentID
      case let word:
        report(format, "unknown format \(format.json.excerpt)" + Self.guess(for: word ?? "", among: Self.formats))
        return nil
      }
    }
    checkKeywords(of: node, ["type", "format", "minLength", "maxLength", "default"])
    return range(node, "minLength", "maxLength", 0...Int64(DocumentSchema.documentBytes)).map {
      .text(Int($0.lowerBound)...Int($0.upperBound))
    }
  }

  private mutating func integer(_ node: JSONNode) -> DocumentMember.Kind? {
    checkKeywords(of: node, ["type", "minimum", "maximum", "default"])
    return range(node, "minimum", "maximum", Int64.min...Int64.max).map { .integer($0) }
  }

  /// The range between two keywords that may be missing; nil, with a problem, if it is none.
  private mutating func range(
    _ node: JSONNode, _ low: String, _ high: String, _ widest: ClosedRange<Int64>
  ) -> ClosedRange<Int64>? {
    var bounds = [widest.lowerBound, widest.upperBound]
    for (index, key) in [low, high].enumerated() {
      guard let given = node[key] else { continue }
      guard let bound = integer(given, key, in: widest) else { return nil }
      bounds[index] = bound
    }
    let (first, last) = (bounds[0], bounds[1])
    guard first <= last else {
      report(node, "\"\(low)\" is greater than \"\(high)\"")
      return nil
    }
    return first...last
  }

  private mutating func number(_ node: JSONNode) -> DocumentMember.Kind? {
    checkKeywords(of: node, ["type", "minimum", "maximum", "default"])
    let widest = DocumentMember.Kind.anyNumber
    var bounds = [widest.lowerBound, widest.upperBound]
    for (index, key) in ["minimum", "maximum"].enumerated() {
      guard let given = node[key] else { continue }
      guard let bound = given.json.number else {
        report(given, "\"\(key)\" is \(given.json.excerpt); it has to be a number")
        return nil
      }
      bounds[index] = bound
    }
    let (first, last) = (bounds[0], bounds[1])
    guard first <= last else {
      report(node, "\"minimum\" is greater than \"maximum\"")
      return nil
    }
    return .number(first...last)
  }

  // MARK: Items

  private mutating func items(_ node: JSONNode) -> DocumentMember.Kind? {
    checkKeywords(of: node, ["type", "items", "maxItems"])
    let limit = Int64(DocumentSchema.itemLimit)
    if let given = node["maxItems"], given.json.wholeNumber != limit {
      report(given, "\"maxItems\" is \(given.json.excerpt); it can only be \(limit), the limit of all lists")
    }
    guard let items = node["items"] else {
      report(node, "\"items\" is missing; it has to be the schema of an item")
      return nil
    }
    guard let schema = resolved(items) else { return nil }
    guard schema["type"]?.json.string == "object" else {
      report(
        schema["type"] ?? schema,
        "the items of a list have to be of the type \"object\"; they have IDs, and merge one by one")
      return nil
    }
    let members = members(of: schema, inItem: true)
    return .items(DocumentItems(members, amounts: amounts(of: schema, members)))
  }

  private mutating func amounts(of schema: JSONNode, _ members: [DocumentMember]) -> [Name] {
    guard let node = schema[Self.totals] else { return [] }
    let names = texts(node, Self.totals, "names of members")
    for (name, node) in names {
      guard let member = members.first(where: { $0.name.text == name }) else {
        report(node, "there is no member \"\(name)\"" + Self.guess(for: name, among: members.map(\.name.text)))
        continue
      }
      guard case .integer(let range) = member.kind, range.lowerBound >= 0 else {
        report(node, "\"\(name)\" cannot be summed; it has to be an integer with a \"minimum\" of 0 or more")
        continue
      }
      // The sums of a day count items under this name.
      if name == "items" { report(node, "\"items\" is reserved in sums; choose another name") }
    }
    return names.map { Name($0.text) }
  }
}
