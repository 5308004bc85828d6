import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// What the rows of a foreign file become, one entry each.
protocol ImportTarget: Sendable {
  /// The kind of data.
  associatedtype Data: OwnData
  /// The kind of data of the entries.
  var data: Data { get }

  /// The value of a field; nil if the row has none.
  func value(
    _ rule: ImportMapping.FieldRule, in row: SourceTable.Row, of reader: SourceReader
  ) throws(SourceReader.Failure) -> FieldValue?

  /// The entry of a row, without its fields. `id` is the text of the column with its ID, or a hash of the row's key. Throws why
  /// that cannot be.
  func entry(_ id: String, isHash: Bool, _ values: [Name: FieldValue?]) throws(AppRefusal) -> OwnEntry

  /// Throws if a device's entries do not go with those of the file.
  func check(_ shelf: OwnShelf<Data>) throws(AppRefusal)
}

/// Joins the rows of a foreign file with a device's entries.
struct EntryImport<Target: ImportTarget> {
  /// An entry of the file, without its fields.
  private struct Planned {
    var entry: OwnEntry
    var values: [Name: FieldValue?]
  }

  private let target: Target
  private var planned: [Planned] = []

  /// Reads a file. Throws all of its problems; then nothing is imported.
  init(
    _ bytes: [UInt8], _ mapping: ImportMapping, into target: Target, in zone: TimeZoneRules
  ) throws(AppRefusal) {
    self.target = target
    var rows = try MappedRows(bytes, mapping, in: zone)
    var ids = StableIDs(mapping.into)
    var taken: Set<RecordID> = []
    for row in rows.rows {
      let values = Self.values(mapping.fields, row, target, &rows)
      let texts = rows.reader.keyTexts(mapping.key, mapping.fields, row)
      if mapping.key != .row, ids.knows(texts) {
        rows.report(row.offset, "a row before this one has the same key, \(texts.joined(separator: ", "))")
      }
      let hash = ids.next(texts, counting: mapping.key == .row)
      do throws(AppRefusal) {
        let entry: OwnEntry
        if case .id = mapping.key {
          entry = try target.entry(texts[0], isHash: false, values)
        } else {
          entry = try target.entry(hash, isHash: true, values)
        }
        if !taken.insert(entry.id).inserted, mapping.key == .row {
          rows.report(row.offset, "a row before this one makes \(entry.words) too")
        }
        planned.append(Planned(entry: entry, values: values))
      } catch {
        var offset = row.offset
        if case .id(let column) = mapping.key { offset = row.cells[column]?.offset ?? offset }
        rows.report(offset, error.description)
      }
    }
    try rows.end()
  }

  private static func values(
    _ rules: [ImportMapping.FieldRule], _ row: SourceTable.Row, _ target: Target, _ rows: inout MappedRows
  ) -> [Name: FieldValue?] {
    var values: [Name: FieldValue?] = [:]
    for rule in rules {
      do throws(SourceReader.Failure) {
        values.updateValue(try target.value(rule, in: row, of: rows.reader), forKey: Name(rule.name))
      } catch {
        rows.report(error.offset, error.message)
      }
    }
    return values
  }

  /// The edits that import the file into a device, and the report.
  func answer(in view: AppView) throws -> AppAnswer {
    let shelf = OwnShelf(data: target.data, view: view)
    try target.check(shelf)
    var report = ImportReport()
    var edits: [RecordEdit] = []
    for plan in planned {
      let old = try shelf.entry(plan.entry.id)
      if let old, old.type != plan.entry.type {
        throw AppRefusal(
          "the record \(old.word) has the type \(old.type), and the mapping makes records of \(plan.entry.type)")
      }
      var entry = old ?? plan.entry
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
}

/// Records of a mapping.
struct RecordTarget: ImportTarget {
  let mapping: ImportMapping

  var data: RecordData { RecordData() }

  func value(
    _ rule: ImportMapping.FieldRule, in row: SourceTable.Row, of reader: SourceReader
  ) throws(SourceReader.Failure) -> FieldValue? {
    try reader.value(rule, in: row)
  }

  func entry(_ id: String, isHash: Bool, _ values: [Name: FieldValue?]) throws(AppRefusal) -> OwnEntry {
    guard (1...Name.lengthLimit).contains(id.unicodeScalars.count), !id.hasPrefix("_") else {
      let column = if case .id(let column) = mapping.key { column } else { "the ID" }
      throw AppRefusal(
        "\(column) is \"\(id)\"; the name of a record has 1 to \(Name.lengthLimit) characters, the first not _")
    }
    return OwnEntry(
      id: RecordID(recordName: Name(id), zoneID: RecordData.zone), type: Name(mapping.into), word: id, fields: Fields())
  }

  /// Throws if a field of the mapping has another type than the device's records have.
  func check(_ shelf: OwnShelf<RecordData>) throws(AppRefusal) {
    let type = Name(mapping.into)
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
