import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSync
import ZoneKitTables

/// A file of rows: a JSON object with the member `tables`, which has for each table the list of its rows as JSON objects.
struct RowFile {
  /// The version of the format.
  static let version: Int64 = 1

  /// The rows of the file.
  let entries: [OwnEntry]

  /// Parses a file. Throws all of its problems; then nothing is imported.
  init(parsing bytes: [UInt8], of data: RowData) throws(AppRefusal) {
    let json = try AppFile.json(parsing: bytes, app: DeviceApp.rowsName, version: Self.version)
    guard let tables = JSONNode(json: json, path: [])["tables"], tables.json.object != nil else {
      throw AppRefusal("/tables: expected an object with a list of rows for each table")
    }
    var entries: [OwnEntry] = []
    var problems: [FileProblem] = []
    func problem(_ node: JSONNode, _ message: String) {
      problems.append(FileProblem(TextPlace(bytes.span.offset(of: node.path), in: bytes.span), message))
    }
    for member in tables.members {
      do throws(AppRefusal) {
        _ = try data.type(member.key, known: [], isNew: true)
      } catch {
        problem(member.value, error.description)
      }
      guard let table = data.schema.table(member.key) else { continue }
      for node in member.value.elements {
        do throws(AppRefusal) {
          entries.append(try Self.entry(node.json, of: table, data))
        } catch {
          problem(node, error.description)
        }
      }
    }
    guard problems.isEmpty else { throw AppRefusal(Array(problems.prefix(MappedRows.problemLimit))) }
    self.entries = entries
  }

  private static func entry(
    _ json: JSON, of table: RelationSchema.Table, _ data: RowData
  ) throws(AppRefusal) -> OwnEntry {
    guard let members = json.object else { throw AppRefusal("expected an object, found \(json.kind)") }
    for member in members where table.column(member.key) == nil { _ = try data.column(member.key, of: table) }
    do throws(SQLFailure) {
      let fields = try table.fields(of: members)
      guard let name = table.recordName(of: fields) else {
        let names = table.keyColumns.map(\.name).joined(separator: ", ")
        throw SQLFailure(.invalidText, "a row of \(table.name) needs \(names), which is its key")
      }
      return OwnEntry(
        id: RecordID(recordName: name, zoneID: table.zoneID), type: table.recordType, word: name.text, fields: fields)
    } catch {
      throw AppRefusal(error.message)
    }
  }
}

extension DeviceApp.Interchange {
  /// The file format of an app of rows: the rows of all tables in one file.
  static func rows(of data: RowData) -> DeviceApp.Interchange {
    let table = data.schema.tables.first?.name ?? "t"
    return DeviceApp.Interchange(
      summary: "rows of the tables of a schema; a column that the file has gets the file's value",
      example: #"{"version":1,"app":"rows","tables":{"\#(table)":[]}}"#,
      check: { (file) throws(AppRefusal) in _ = try RowFile(parsing: file, of: data) },
      merge: { (file, view) in try merge(RowFile(parsing: file, of: data).entries, data, view) },
      export: { (selection, view) in try export(selection, data, view) })
  }

  private static func merge(_ entries: [OwnEntry], _ data: RowData, _ view: AppView) throws -> AppAnswer {
    let shelf = OwnShelf(data: data, view: view)
    var report = ImportReport()
    var edits: [RecordEdit] = []
    for new in entries {
      var entry = new
      if let old = try shelf.entry(new.id) {
        entry = old
        for field in new.fields.sorted { entry.fields.set(field) }
        guard EncodedFields(entry.fields) != EncodedFields(old.fields) else {
          report.unchanged += 1
          continue
        }
        report.updated += 1
      } else {
        report.added += 1
      }
      edits.append(entry.edit)
    }
    return AppAnswer(edits: edits, lines: { [report] in report.lines }, members: { [report] _ in report.members })
  }

  private static func export(
    _ selection: DeviceApp.Selection, _ data: RowData, _ view: AppView
  ) throws -> DeviceApp.Export {
    if case .named(let name) = selection {
      throw AppRefusal("rows are exported in one file; leave out the profile \(name)")
    }
    let shelf = OwnShelf(data: data, view: view)
    let tables = try data.schema.tables.map { table in
      JSON.Member(table.name, .array(try shelf.entries(of: table.recordType).map(data.json)))
    }
    let document: JSON = [
      "version": .integer(RowFile.version), "app": .string(DeviceApp.rowsName),
      "exportedAt": .string(view.wall.iso8601), "tables": .object(tables),
    ]
    return DeviceApp.Export(files: [
      DeviceApp.Export.File(name: "rows.json", text: document.bytes() + [UInt8(ascii: "\n")])
    ])
  }
}
