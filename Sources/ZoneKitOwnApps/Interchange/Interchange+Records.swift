import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// A file of records: a JSON object with the list `records`, each with its name, zone, type and fields as CloudKit types them.
struct RecordFile {
  /// The version of the format.
  static let version: Int64 = 1

  /// The records of the file.
  let entries: [OwnEntry]

  /// Parses a file. Throws all of its problems; then nothing is imported.
  init(parsing bytes: [UInt8]) throws(AppRefusal) {
    let json = try AppFile.json(parsing: bytes, app: DeviceApp.recordsName, version: Self.version)
    let root = JSONNode(json: json, path: [])
    guard let list = root["records"], list.json.array != nil else {
      throw AppRefusal("/records: expected a list of records")
    }
    var entries: [OwnEntry] = []
    var problems: [FileProblem] = []
    for node in list.elements {
      do throws(FileProblem) {
        entries.append(try Self.entry(node, bytes))
      } catch {
        problems.append(error)
      }
    }
    guard problems.isEmpty else { throw AppRefusal(Array(problems.prefix(MappedRows.problemLimit))) }
    self.entries = entries
  }

  private static func entry(_ node: JSONNode, _ bytes: [UInt8]) throws(FileProblem) -> OwnEntry {
    func problem(_ node: JSONNode, _ message: String) -> FileProblem {
      FileProblem(TextPlace(bytes.span.offset(of: node.path), in: bytes.span), message)
    }
    guard let name = node["recordName"]?.json.string, (1...Name.lengthLimit).contains(name.unicodeScalars.count) else {
      throw problem(node, "recordName: expected a text of 1 to \(Name.lengthLimit) characters")
    }
    guard let type = node["recordType"]?.json.string, RecordData.isIdentifier(type) else {
      throw problem(node, "recordType: expected a letter, then letters, digits and _, as in Task")
    }
    guard let list = node["fields"], list.json.object != nil else {
      throw problem(node, "fields: expected an object such as {\"title\":{\"type\":\"STRING\",\"value\":\"Milk\"}}")
    }
    var fields = Fields()
    for member in list.members {
      guard RecordData.isIdentifier(member.key) else {
        throw problem(
          member.value, "\"\(member.key)\" is no name of a field; expected a letter, then letters, digits and _")
      }
      let known = FieldType.allCases.map(\.rawValue)
      guard let word = member.value["type"]?.json.string, let type = FieldType(rawValue: word) else {
        let guess = NearMiss.guess(for: member.value["type"]?.json.string ?? "", among: known)
        throw problem(
          member.value, "\(member.key): expected a type, \(guess.map { "such as \($0)" } ?? "such as STRING")")
      }
      guard let value = member.value["value"].flatMap({ FieldValue($0.json, as: type) }) else {
        throw problem(member.value, "\(member.key): the value is not one of the type \(type.rawValue)")
      }
      fields[Name(member.key)] = value
    }
    let zone = node["zone"]?.json.string.map { ZoneID(zoneName: Name($0)) } ?? RecordData.zone
    return OwnEntry(
      id: RecordID(recordName: Name(name), zoneID: zone), type: Name(type), word: name, fields: fields,
      parent: node["parent"]?.json.string.map { Name($0) })
  }
}

extension FileProblem: Error {}

extension DeviceApp.Interchange {
  /// The file format of an app of records: all records in one file, with their types.
  static var records: DeviceApp.Interchange {
    DeviceApp.Interchange(
      summary: "records with their names, types and fields, as CloudKit types them; of two versions the newest wins",
      example: #"{"version":1,"app":"records","records":[{"recordName":"milk","recordType":"Task","fields":"#
        + #"{"title":{"type":"STRING","value":"Milk"},"updatedAt":{"type":"TIMESTAMP","value":1795000000000}}}]}"#,
      check: { (file) throws(AppRefusal) in _ = try RecordFile(parsing: file) }, merge: merge, export: export)
  }

  @Sendable private static func merge(_ bytes: [UInt8], into view: AppView) throws -> AppAnswer {
    let shelf = OwnShelf(data: RecordData(), view: view)
    var report = ImportReport()
    var edits: [RecordEdit] = []
    for entry in try RecordFile(parsing: bytes).entries {
      let content = RecordContent(fields: EncodedFields(entry.fields), parent: entry.parent)
      if let old = try shelf.entry(entry.id) {
        guard old.type == entry.type else {
          throw AppRefusal("the record \(entry.word) has the type \(old.type) on this device, not \(entry.type)")
        }
        let known = RecordContent(fields: EncodedFields(old.fields), parent: old.parent)
        guard known != content, MergePolicy.isNewer(content, than: known, stamp: RecordData.stamp) else {
          report.unchanged += 1
          continue
        }
        report.updated += 1
      } else {
        report.added += 1
      }
      let hasStamp = if case .timestamp? = entry.fields[RecordData.stamp] { true } else { false }
      edits.append(
        .save(
          entry.id, type: entry.type, fields: entry.fields, parent: entry.parent,
          stamping: hasStamp ? .asGiven : .now))
    }
    return AppAnswer(edits: edits, lines: { [report] in report.lines }, members: { [report] _ in report.members })
  }

  @Sendable private static func export(
    _ selection: DeviceApp.Selection, _ view: AppView
  ) throws -> DeviceApp.Export {
    if case .named(let name) = selection {
      throw AppRefusal("records are exported in one file; leave out the profile \(name)")
    }
    let data = RecordData()
    let records = try OwnShelf(data: data, view: view).entries().map(data.json)
    let document: JSON = [
      "version": .integer(RecordFile.version), "app": .string(DeviceApp.recordsName),
      "exportedAt": .string(view.wall.iso8601), "records": .array(records),
    ]
    return DeviceApp.Export(files: [
      DeviceApp.Export.File(name: "records.json", text: document.bytes() + [UInt8(ascii: "\n")])
    ])
  }
}
