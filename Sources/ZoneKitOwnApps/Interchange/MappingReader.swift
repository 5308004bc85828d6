import ZoneKitDeviceHost
import ZoneKitRecords

/// Reads a mapping file. What it says has an effect, or is a problem.
struct MappingReader {
  private let bytes: [UInt8]
  private var problems: [FileProblem] = []

  /// The mapping of a file. Throws all of its problems, with their places.
  static func mapping(_ bytes: [UInt8]) throws(AppRefusal) -> ImportMapping {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw AppRefusal([FileProblem(TextPlace(error.offset, in: bytes.span), "this is no JSON: \(error.message)")])
    }
    var reader = MappingReader(bytes: bytes)
    let mapping = reader.mapping(JSONNode(json: json, path: []))
    guard reader.problems.isEmpty else { throw AppRefusal(reader.problems) }
    return mapping
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func report(_ node: JSONNode, isKey: Bool = false, _ message: String) {
    problems.append(FileProblem(TextPlace(bytes.span.offset(of: node.path, isKey: isKey), in: bytes.span), message))
  }

  private static let words = [
    "into", "format", "list", "delimiter", "decimal", "thousands", "dates", "nothing", "id", "key", "fields", "items",
    "leave", "skip", "bom", "$comment",
  ]

  private mutating func mapping(_ root: JSONNode) -> ImportMapping {
    var mapping = ImportMapping()
    guard root.json.object != nil else {
      report(root, "the file is \(root.json.kind); it has to be an object with the members into and fields")
      return mapping
    }
    check(root, Self.words)
    mapping.into = text(root["into"], of: root, "into", such: "the record type or collection") ?? ""
    mapping.format = format(root)
    if let mark = mark(root["decimal"]) { mapping.numbers.decimal = mark }
    mapping.numbers.thousands = mark(root["thousands"])
    if mapping.numbers.thousands == mapping.numbers.decimal, let node = root["thousands"] ?? root["decimal"] {
      report(node, "decimal and thousands are the same mark; choose two")
    }
    mapping.dates = pattern(root["dates"])
    if let node = root["nothing"] { mapping.nothing = texts(node) }
    mapping.key = key(root)
    mapping.fields = fields(root["fields"], of: root)
    if let items = root["items"] {
      check(items, ["id", "key", "fields"])
      mapping.itemKey = key(items)
      mapping.items = fields(items["fields"], of: items)
    }
    if let node = root["bom"] {
      if let hasMark = node.json.bool { mapping.hasMark = hasMark } else { report(node, "bom has to be true or false") }
    }
    if let node = root["leave"] { mapping.left = texts(node) }
    for member in root["skip"]?.members ?? [] { mapping.skipped[member.key] = texts(member.value) }
    return mapping
  }

  private mutating func check(_ node: JSONNode, _ known: [String]) {
    for member in node.members where !known.contains(member.key) {
      let guess = NearMiss.guess(for: member.key, among: known).map { "; did you mean \"\($0)\"?" }
      report(
        member.value, isKey: true,
        "unknown member \"\(member.key)\"\(guess ?? "; there are \(known.joined(separator: ", "))")")
    }
  }

  private mutating func format(_ root: JSONNode) -> ImportMapping.Format {
    let word = root["format"].map { text($0) } ?? "csv"
    guard word == "csv" || word == "json" else {
      if let node = root["format"], let word {
        report(node, "unknown format \"\(word)\"; expected \"csv\" or \"json\"")
      }
      return .json(list: nil)
    }
    guard word == "csv" else {
      if let node = root["delimiter"] { report(node, isKey: true, "delimiter goes with the format csv") }
      return .json(list: root["list"].flatMap { text($0) })
    }
    if let node = root["list"] { report(node, isKey: true, "list goes with the format json") }
    guard let node = root["delimiter"] else { return .csv(delimiter: UInt8(ascii: ",")) }
    guard let text = text(node), text.utf8.count == 1, let byte = text.utf8.first, ![0x22, 0x0A, 0x0D].contains(byte)
    else {
      report(node, "delimiter has to be one character, such as \";\" or \"\\t\"")
      return .csv(delimiter: UInt8(ascii: ","))
    }
    return .csv(delimiter: byte)
  }

  private mutating func key(_ node: JSONNode) -> ImportMapping.Key {
    if let id = node["id"] {
      if let key = node["key"] { report(key, isKey: true, "id and key exclude each other") }
      return text(id).map { .id($0) } ?? .row
    }
    return node["key"].map { .columns(texts($0)) } ?? .row
  }

  // MARK: Fields

  private mutating func fields(_ node: JSONNode?, of owner: JSONNode) -> [ImportMapping.FieldRule] {
    guard let node else {
      report(owner, "fields is missing; expected an object such as {\"title\": \"Description\"}")
      return []
    }
    guard node.json.object?.isEmpty == false else {
      report(node, "fields has to be an object with a member for each field")
      return []
    }
    return node.members.compactMap { rule($0.key, $0.value) }
  }

  private static let fieldWords = ["from", "value", "type", "part", "words", "dates", "decimals"]

  private mutating func rule(_ name: String, _ node: JSONNode) -> ImportMapping.FieldRule? {
    if let column = node.json.string {
      return ImportMapping.FieldRule(name: name, source: .columns([column]), path: node.path)
    }
    guard node.json.object != nil else {
      report(node, "\(name) is \(node.json.kind); expected a column, or an object with from or value")
      return nil
    }
    check(node, Self.fieldWords)
    guard let source = source(node, of: name) else { return nil }
    var rule = ImportMapping.FieldRule(name: name, source: source, path: node.path)
    if let type = node["type"] {
      let word = text(type) ?? ""
      rule.type = Self.types.first { $0.rawValue == word }
      if rule.type == nil {
        let names = Self.types.map(\.rawValue)
        let guess = NearMiss.guess(for: word, among: names).map { "; did you mean \"\($0)\"?" }
        report(type, "unknown type \"\(word)\"\(guess ?? "; there are \(names.joined(separator: ", "))")")
      }
    }
    rule.part = number(node["part"], "part", in: 1...20)
    rule.decimals = number(node["decimals"], "decimals", in: 1...9) ?? 0
    rule.dates = pattern(node["dates"])
    for member in node["words"]?.members ?? [] {
      if let word = text(member.value) { rule.words[member.key] = word }
    }
    return rule
  }

  /// The types that fields of records can have.
  private static let types: [FieldType] = [.string, .int64, .double, .timestamp, .reference]

  private mutating func source(_ node: JSONNode, of name: String) -> ImportMapping.Source? {
    switch (node["from"], node["value"]) {
    case (let from?, nil): return .columns(from.json.string.map { [$0] } ?? texts(from))
    case (nil, let value?): return text(value).map { .value($0) }
    case (_?, let value?):
      report(value, isKey: true, "from and value exclude each other")
      return nil
    case (nil, nil):
      report(
        node, "\(name) has neither from nor value; expected a column, or {\"value\": \"…\"} for the same in every row")
      return nil
    }
  }

  // MARK: Values

  private mutating func text(_ node: JSONNode) -> String? {
    guard let text = node.json.string else {
      report(node, "expected a text in double quotes, found \(node.json.kind)")
      return nil
    }
    return text
  }

  private mutating func text(_ node: JSONNode?, of owner: JSONNode, _ name: String, such what: String) -> String? {
    guard let node else {
      report(owner, "\(name) is missing; it has to be \(what)")
      return nil
    }
    return text(node)
  }

  private mutating func texts(_ node: JSONNode) -> [String] {
    guard node.json.array != nil else {
      report(node, "expected a list of texts, found \(node.json.kind)")
      return []
    }
    var texts: [String] = []
    for element in node.elements { if let text = text(element) { texts.append(text) } }
    return texts
  }

  private mutating func mark(_ node: JSONNode?) -> Character? {
    guard let node, let text = text(node) else { return nil }
    guard text.count == 1, let mark = text.first, !mark.isNumber, mark != "-", mark != "+" else {
      report(node, "expected one character that is no digit and no sign, such as \",\"")
      return nil
    }
    return mark
  }

  private mutating func pattern(_ node: JSONNode?) -> DatePattern? {
    guard let node, let text = text(node) else { return nil }
    guard let pattern = DatePattern(text) else {
      report(
        node,
        "\"\(text)\" is no pattern of dates; expected one such as \"dd.MM.yyyy\" of the letters \(DatePattern.letters)")
      return nil
    }
    return pattern
  }

  private mutating func number(_ node: JSONNode?, _ name: String, in range: ClosedRange<Int>) -> Int? {
    guard let node else { return nil }
    guard let number = node.json.integer.map({ Int($0) }), range.contains(number) else {
      report(node, "\(name) has to be a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return number
  }
}
