import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// Joins the rows of a foreign file with a device's records.
struct RecordImport {
  /// A record of the file.
  private struct Planned {
    var name: Name
    var values: [Name: FieldValue?]
    var offset: Int
  }

  private let mapping: ImportMapping
  private var planned: [Planned] = []

  /// Reads a file. Throws all of its problems; then nothing is imported.
  init(_ bytes: [UInt8], _ mapping: ImportMapping, in zone: TimeZoneRules) throws(AppRefusal) {
    self.mapping = mapping
    var rows = try MappedRows(bytes, mapping, in: zone)
    var ids = StableIDs(mapping.into)
    for row in rows.rows {
      var values: [Name: FieldValue?] = [:]
      for rule in mapping.fields {
        do throws(SourceReader.Failure) {
          values.updateValue(try rows.reader.value(rule, in: row), forKey: Name(rule.name))
        } catch {
          rows.report(error.offset, error.message)
        }
      }
      let texts = rows.reader.keyTexts(mapping.key, mapping.fields, row)
      if mapping.key != .row, ids.knows(texts) {
        rows.report(row.offset, "a row before this one has the same key, \(texts.joined(separator: ", "))")
      }
      var name = ids.next(texts, counting: mapping.key == .row)
      if case .id(let column) = mapping.key {
        name = texts[0]
        if !(1...Name.lengthLimit).contains(name.unicodeScalars.count) || name.hasPrefix("_") {
          rows.report(
            row.cells[column]?.offset ?? row.offset,
            "\(column) is \"\(name)\"; the name of a record has 1 to \(Name.lengthLimit) characters, the first not _")
        }
      }
      planned.append(Planned(name: Name(name), values: values, offset: row.offset))
    }
    try rows.end()
  }

  /// The edits that import the file into a device, and the report.
  func answer(in view: AppView) throws -> AppAnswer {
    let shelf = OwnShelf(data: RecordData(), view: view)
    let type = Name(mapping.into)
    try checkTypes(on: shelf, type)
    var report = ImportReport()
    var edits: [RecordEdit] = []
    for plan in planned {
      let id = RecordID(recordName: plan.name, zoneID: RecordData.zone)
      let old = try shelf.entry(id)
      if let old, old.type != type {
        throw AppRefusal("the record \(plan.name) has the type \(old.type), and the mapping makes records of \(type)")
      }
      var entry = old ?? OwnEntry(id: id, type: type, word: plan.name.text, fields: Fields())
      for (name, value) in plan.values { entry.fields[name] = value }
      if let old, EncodedFields(old.fields) == EncodedFields(entry.fields) {
        report.unchanged += 1
        continue
      }
      if old == nil { report.added += 1 } else { report.updated += 1 }
      edits.append(entry.edit)
    }
    return AppAnswer(edits: edits, lines: { [report] in report.lines }, members: { [report] _ in report.members })
  }

  /// Throws if a field of the mapping has another type than the device's records have.
  private func checkTypes(on shelf: OwnShelf<RecordData>, _ type: Name) throws(AppRefusal) {
    let entries = try shelf.entries(of: type)
    for rule in mapping.fields {
      let wanted = rule.type ?? .string
      let known = entries.lazy.compactMap { $0.fields[Name(rule.name)]?.type }.first
      guard let known, known != wanted else { continue }
      throw AppRefusal(
        "\(rule.name) of \(type) is \(known.rawValue) on this device, and the mapping gives it \(wanted.rawValue); "
          + "expected \"type\": \"\(known.rawValue)\"")
    }
  }
}
