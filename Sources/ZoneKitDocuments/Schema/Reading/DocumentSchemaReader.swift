import ZoneKitRecords

/// Reads a file that describes the documents of an app, in a part of JSON Schema 2020-12. What the file says is either
/// served or a problem; nothing is passed over.
package struct DocumentSchemaReader {
  /// The most bytes of a file.
  package static let byteLimit = 256 << 10
  /// The most problems that are listed.
  package static let problemLimit = 50
  /// The most members of a document or an item.
  static let memberLimit = 200
  /// The most words of an `enum`.
  static let wordLimit = 500
  /// The dialect.
  static let dialect = "https://json-schema.org/draft/2020-12/schema"

  private struct Found: Hashable {
    let path: [Int]
    let isKey: Bool
    let message: String
  }

  /// The value around all others.
  let root: JSONNode
  /// What `$ref` can name.
  let definitions: [String: JSONNode]
  /// The names of the definitions that were read.
  private(set) var read: Set<String> = []
  /// The names after every `$ref`.
  private var referenced: Set<String> = []
  private var found: [Found] = []
  private var hasMore = false

  /// The app of a file, which is called `file` in problems.
  package static func app(_ bytes: [UInt8], file: String) throws(DocumentSchemaProblems) -> DocumentApp {
    func refusal(_ message: String, at place: TextPlace? = nil) -> DocumentSchemaProblems {
      DocumentSchemaProblems(list: [DocumentSchemaProblem(file: file, place: place, message: message)])
    }
    guard bytes.count <= byteLimit else {
      throw refusal("the file has \(bytes.count) bytes, at most \(byteLimit) are allowed")
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw refusal("this is no JSON: \(error.message)", at: TextPlace(error.offset, in: bytes.span))
    }
    var reader = DocumentSchemaReader(json)
    guard let app = reader.app(), reader.found.isEmpty else { throw reader.problems(of: file, bytes) }
    return app
  }

  private init(_ json: JSON) {
    root = JSONNode(json: json, path: [])
    definitions = Dictionary(root["$defs"]?.members.map { ($0.key, $0.value) } ?? [], uniquingKeysWith: { $1 })
  }

  // MARK: Problems

  /// Notes a problem of a value, or with `isKey` of the name before it.
  mutating func report(_ node: JSONNode, isKey: Bool = false, _ message: @autoclosure () -> String) {
    guard found.count < Self.problemLimit else { return hasMore = true }
    // What several places refer to is read for each of them.
    let problem = Found(path: node.path, isKey: isKey, message: message())
    if !found.contains(problem) { found.append(problem) }
  }

  private func problems(of file: String, _ bytes: [UInt8]) -> DocumentSchemaProblems {
    let located = found.map { ($0.message, offset: bytes.span.offset(of: $0.path, isKey: $0.isKey)) }
    var place = TextPlace()
    var list: [DocumentSchemaProblem] = []
    for (message, offset) in located.sorted(by: { $0.offset < $1.offset }) {
      place.advance(to: offset, in: bytes.span)
      list.append(DocumentSchemaProblem(file: file, place: place, message: message))
    }
    if hasMore {
      let message = "there are more problems; \(Self.problemLimit) are listed"
      list.append(DocumentSchemaProblem(file: file, place: nil, message: message))
    }
    return DocumentSchemaProblems(list: list)
  }

  // MARK: The app

  private mutating func app() -> DocumentApp? {
    let root = root
    guard root.json.object != nil else {
      report(root, "the file is \(root.json.kind); it has to be an object with the members title, type and properties")
      return nil
    }
    checkRepetitions(in: root)
    checkKeywords(
      of: root,
      ["$schema", "$id", "title", "type", "properties", "$defs", "additionalProperties"] + Self.places + [Self.version])
    checkWord(root["$schema"], is: Self.dialect)
    checkType(of: root, is: "object")
    checkAdditional(of: root)
    let name = name()
    let (container, zone) = (place(Self.places[0]), place(Self.places[1]))
    var version: Int64?
    if let given = root[Self.version] { version = integer(given, Self.version, in: 1...1_000_000) }
    let (collections, summary) = collections()
    checkDefinitions()
    guard let name, found.isEmpty else { return nil }
    return DocumentApp(
      name: name, container: Name(container ?? "iCloud.com.example.\(name)"), environment: .development,
      zone: Name(zone ?? "Documents"),
      schema: DocumentSchema(collections, summary: summary, version: Int(version ?? 1)))
  }

  private static let places = ["x-zonekit-container", "x-zonekit-zone"]
  private static let version = "x-zonekit-version"

  private mutating func name() -> String? {
    guard let node = root["title"] else {
      report(root, "\"title\" is missing; it has to be the app's name")
      return nil
    }
    guard let name = node.json.string, DocumentID.isValid(name) else {
      report(
        node,
        "\"title\" is \(node.json.excerpt); it has to be the app's name, 1 to \(DocumentID.lengthLimit) of the "
          + "characters A-Z, a-z, 0-9, - and _" + Self.suggestion(node.json.string, joining: "-"))
      return nil
    }
    return name
  }

  /// The name of a container or zone; nil if the file leaves it to the program.
  private mutating func place(_ key: String) -> String? {
    guard let node = root[key] else { return nil }
    // The journal of conflicts has a zone of its own.
    guard let name = node.json.string, DocumentID.isValid(name.filter { $0 != "." }), name.utf8.count <= 100,
      name.first != ".", name.first != "_", name != "ConflictJournal"
    else {
      report(
        node,
        "\"\(key)\" is \(node.json.excerpt); it has to be a name of at most 100 of the characters A-Z, a-z, 0-9, -, _ "
          + "and ., which begins with a letter or digit and is not ConflictJournal")
      return nil
    }
    return name
  }

  /// Reports names that an object has twice, and notes what is referred to.
  private mutating func checkRepetitions(in node: JSONNode) {
    var keys: Set<String> = []
    for member in node.members {
      if !keys.insert(member.key).inserted {
        report(member.value, isKey: true, "\"\(member.key)\" is there twice; leave one out")
      }
      if member.key == "$ref", let name = Self.definition(member.value.json) { referenced.insert(name) }
      checkRepetitions(in: member.value)
    }
    for element in node.elements { checkRepetitions(in: element) }
  }

  /// Reports definitions that no collection uses, because what they say has no effect.
  private mutating func checkDefinitions() {
    guard let node = root["$defs"] else { return }
    guard node.json.object != nil else {
      return report(node, "\"$defs\" is \(node.json.excerpt); it has to be an object of schemas")
    }
    let hasOthers = !found.isEmpty
    for member in node.members where !read.contains(member.key) {
      // With other problems, what refers to it may not have been read.
      if hasOthers, referenced.contains(member.key) { continue }
      report(member.value, isKey: true, "no collection uses \"\(member.key)\"; leave it out")
    }
  }

  // MARK: References

  /// The schema to which a schema refers, or itself if it does not refer to another. Nil, with a problem, if there is none.
  mutating func resolved(_ node: JSONNode) -> JSONNode? {
    var (node, passed): (JSONNode, Set<String>) = (node, [])
    while node.json.object != nil {
      guard let reference = node["$ref"] else { return node }
      checkKeywords(of: node, ["$ref"])
      guard let name = Self.definition(reference.json) else {
        report(reference, "\"$ref\" is \(reference.json.excerpt); it has to be \"#/$defs/\" and a name of \"$defs\"")
        return nil
      }
      guard let definition = definitions[name] else {
        let known = definitions.keys.sorted()
        report(reference, "there is no \"\(name)\" in \"$defs\"" + Self.guess(for: name, among: known))
        return nil
      }
      read.insert(name)
      guard passed.insert(name).inserted else {
        report(reference, "\"$ref\" leads back to itself; it has to lead to a schema with a type")
        return nil
      }
      node = definition
    }
    report(node, "this is \(node.json.excerpt); it has to be a schema, such as {\"type\": \"string\"}")
    return nil
  }

  /// The name of a definition in a reference.
  private static func definition(_ json: JSON) -> String? {
    let beginning = "#/$defs/"
    return json.string.flatMap { $0.hasPrefix(beginning) ? String($0.dropFirst(beginning.count)) : nil }
  }
}
