import ZoneKitRecords

/// The keywords of schemas, and what is wrong with them.
extension DocumentSchemaReader {
  /// Keywords that say something to readers only.
  private static let annotations = ["description", "$comment", "title", "examples"]

  /// Keywords of JSON Schema that are not supported, and what to do instead.
  private static let unsupported: [String: String] = {
    var advice = [
      "const": "use \"enum\" with one word", "definitions": "use \"$defs\"", "exclusiveMaximum": "use \"maximum\"",
      "exclusiveMinimum": "use \"minimum\"",
      "nullable": "leave the member out of \"required\"; null then stands for none",
      "pattern": "texts have \"minLength\", \"maxLength\", \"enum\" and \"format\"",
    ]
    for key in ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"] { advice[key] = "a member has one type" }
    for key in [
      "contains", "dependentRequired", "dependentSchemas", "maxContains", "maxProperties", "minContains", "minItems",
      "minProperties", "multipleOf", "patternProperties", "prefixItems", "propertyNames", "readOnly",
      "unevaluatedItems", "unevaluatedProperties", "uniqueItems", "writeOnly",
    ] { advice[key] = "leave it out" }
    return advice
  }()

  /// Reports keywords of a schema that have no effect.
  mutating func checkKeywords(of node: JSONNode, _ known: [String]) {
    for member in node.members where !known.contains(member.key) && !Self.annotations.contains(member.key) {
      let key = member.key
      if let advice = Self.unsupported[key] {
        report(member.value, isKey: true, "\"\(key)\" is not supported; \(advice)")
      } else {
        report(member.value, isKey: true, "unknown keyword \"\(key)\"" + Self.guess(for: key, among: known))
      }
    }
  }

  /// Reports a keyword with another value than the only one that it can have. It may be missing.
  mutating func checkWord(_ node: JSONNode?, is word: String) {
    guard let node, node.json.string != word else { return }
    report(node, "this is \(node.json.excerpt); it has to be \"\(word)\"")
  }

  /// Reports a schema that is not of that type.
  mutating func checkType(of node: JSONNode, is type: String) {
    guard let found = node["type"] else { return report(node, "\"type\" is missing; it has to be \"\(type)\"") }
    guard found.json.string != type else { return }
    report(found, "\"type\" is \(found.json.excerpt); it has to be \"\(type)\"")
  }

  /// Reports a schema that forbids members which it does not name.
  mutating func checkAdditional(of node: JSONNode) {
    guard let found = node["additionalProperties"], found.json != .bool(true) else { return }
    report(
      found,
      "\"additionalProperties\" is \(found.json.excerpt); it can only be true: the server keeps the members that the "
        + "file does not name")
  }

  /// Reports a name that a collection or member cannot have. `owner` says who has it.
  mutating func checkName(_ member: JSONNode.Member, reserved: Set<String>, of owner: String) {
    if reserved.contains(member.key) {
      report(member.value, isKey: true, "\"\(member.key)\" is reserved: \(owner); choose another name")
    } else if !Self.isName(member.key) {
      report(
        member.value, isKey: true,
        "\"\(member.key)\" is no name; a name has at most \(DocumentID.lengthLimit) of the characters A-Z, a-z, 0-9 and "
          + "_, and begins with a letter" + Self.suggestion(member.key, joining: "_"))
    }
  }

  /// Whether a text is the name of a collection or member.
  static func isName(_ text: String) -> Bool {
    DocumentID.isValid(text) && text.first?.isLetter == true && !text.contains("-")
  }

  /// The integer of a keyword; nil, with a problem, if it has another value.
  mutating func integer(_ node: JSONNode, _ key: String, in range: ClosedRange<Int64>) -> Int64? {
    guard let number = node.json.wholeNumber, range.contains(number) else {
      report(
        node,
        "\"\(key)\" is \(node.json.excerpt); it has to be a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
      return nil
    }
    return number
  }

  /// The texts of a list, each with its place; those that are repeated or no texts are problems. `what` says what they are.
  mutating func texts(_ node: JSONNode, _ key: String, _ what: String) -> [(text: String, node: JSONNode)] {
    guard node.json.array != nil else {
      report(node, "\"\(key)\" is \(node.json.excerpt); it has to be a list of \(what)")
      return []
    }
    var texts: [(text: String, node: JSONNode)] = []
    var known: Set<String> = []
    for element in node.elements {
      guard let text = element.json.string else {
        report(element, "\"\(key)\" has \(element.json.excerpt); it has to be a list of \(what)")
        continue
      }
      guard known.insert(text).inserted else {
        report(element, "\"\(text)\" is there twice; leave one out")
        continue
      }
      texts.append((text, element))
    }
    return texts
  }

  // MARK: Suggestions

  /// The end of a sentence about an unknown word: the nearest known one, or all of them.
  static func guess(for word: String, among known: [String]) -> String {
    if let near = NearMiss.guess(for: word, among: known) { return "; did you mean \"\(near)\"?" }
    return known.isEmpty ? "" : "; there are \(known.prefix(20).joined(separator: ", "))"
  }

  /// The end of a sentence about a text that is no name: the nearest name.
  static func suggestion(_ text: String?, joining separator: Character) -> String {
    let name = (text ?? "").prefix(DocumentID.lengthLimit).map { DocumentID.isValid(String($0)) ? $0 : separator }
    let nearest = String(name.drop { $0 == separator || $0 == "_" || $0.isNumber })
    return nearest.isEmpty ? "" : ", such as \"\(nearest)\""
  }
}
