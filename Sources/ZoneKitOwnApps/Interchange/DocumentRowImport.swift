import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// Joins the rows of a foreign file with a device's documents. Rows with the same key are items of one document, if the mapping
/// has items.
struct DocumentRowImport {
  /// A document of the file.
  private struct Planned {
    var id: String
    var values: [Name: FieldValue?]
    var items: [(id: String, values: [Name: FieldValue?])] = []
  }

  private let data: DocumentData
  private let collection: DocumentCollection
  private let mapping: ImportMapping
  private var planned: [Planned] = []

  /// Reads a file. Throws all of its problems; then nothing is imported.
  init(
    _ bytes: [UInt8], _ mapping: ImportMapping, _ collection: DocumentCollection, of data: DocumentData,
    in zone: TimeZoneRules
  ) throws(AppRefusal) {
    self.data = data
    self.collection = collection
    self.mapping = mapping
    var rows = try MappedRows(bytes, mapping, in: zone)
    var ids = StableIDs(mapping.into)
    var places: [[String]: Int] = [:]
    var taken: Set<String> = []
    for row in rows.rows {
      let values = Self.values(mapping.fields, collection.members, row, &rows)
      let texts = rows.reader.keyTexts(mapping.key, mapping.fields, row)
      if !mapping.items.isEmpty, let place = places[texts] {
        if EncodedFields(planned[place].values) != EncodedFields(values) {
          rows.report(row.offset, "a row before this one has the same key and other values of the document")
        }
        add(row, to: place, &rows)
        continue
      }
      let made = ids.next(texts, counting: mapping.key == .row)
      places[texts] = planned.count
      let id = id(made, texts, values, row, &rows)
      if !taken.insert(id).inserted {
        rows.report(row.offset, "a row before this one makes the document with the ID \(id) too")
      }
      planned.append(Planned(id: id, values: values))
      if !mapping.items.isEmpty { add(row, to: planned.count - 1, &rows) }
    }
    try rows.end()
  }

  private static func values(
    _ rules: [ImportMapping.FieldRule], _ members: [DocumentMember], _ row: SourceTable.Row, _ rows: inout MappedRows
  ) -> [Name: FieldValue?] {
    var values: [Name: FieldValue?] = [:]
    for rule in rules {
      guard let member = members.first(where: { $0.name.text == rule.name }) else { continue }
      do throws(SourceReader.Failure) {
        values.updateValue(try DocumentMapping(reader: rows.reader).value(rule, member, in: row), forKey: member.name)
      } catch {
        rows.report(error.offset, error.message)
      }
    }
    return values
  }

  private mutating func add(_ row: SourceTable.Row, to place: Int, _ rows: inout MappedRows) {
    let values = Self.values(mapping.items, collection.items?.items?.members ?? [], row, &rows)
    let texts = [planned[place].id] + rows.reader.keyTexts(mapping.itemKey, mapping.items, row)
    var id = texts[1]
    if case .id = mapping.itemKey {
    } else {
      // Equal items of a document are counted.
      let equal = planned[place].items.count { EncodedFields($0.values) == EncodedFields(values) }
      id = ContentHash.of((texts + (equal > 0 ? ["\(equal)"] : [])).map { Array("\($0.utf8.count):\($0)".utf8) })
    }
    if !DocumentID.isValid(id) {
      rows.report(row.offset, "\"\(id)\" is no ID; expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _")
    }
    if planned[place].items.contains(where: { $0.id == id }) {
      rows.report(row.offset, "a row before this one has the same key for its item")
    }
    planned[place].items.append((id, values))
  }

  private func id(
    _ made: String, _ texts: [String], _ values: [Name: FieldValue?], _ row: SourceTable.Row, _ rows: inout MappedRows
  ) -> String {
    var id = made
    if case .id = mapping.key { id = texts[0] }
    switch collection.identity {
    case .any: break
    case .only(let only): id = only
    case .member(let member): if case .string(let text)?? = values[member] { id = text }
    }
    if !DocumentID.isValid(id) {
      rows.report(row.offset, "\"\(id)\" is no ID; expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _")
    }
    return id
  }

  // MARK: Joining

  /// The edits that import the file into a device, and the report.
  func answer(in view: AppView) throws -> AppAnswer {
    let shelf = OwnShelf(data: data, view: view)
    var report = ImportReport()
    var edits: [RecordEdit] = []
    for plan in planned {
      let old = try shelf.entry(data.entry(DocumentName(collection.name, plan.id), Fields()).id)
      guard old?.isDeleted != true else {
        report.deleted += 1
        continue
      }
      let entry = try joined(plan, with: old, in: view)
      if let old, EncodedFields(old.fields) == EncodedFields(entry.fields) {
        report.unchanged += 1
        continue
      }
      if old == nil { report.added += 1 } else { report.updated += 1 }
      edits.append(entry.edit)
    }
    return AppAnswer(edits: edits, lines: { [report] in report.lines }, members: { [report] _ in report.members })
  }

  private func joined(_ plan: Planned, with old: OwnEntry?, in view: AppView) throws(AppRefusal) -> OwnEntry {
    var entry = old ?? data.entry(DocumentName(collection.name, plan.id), Fields())
    for member in collection.members {
      if let value = plan.values[member.name] { entry.fields[member.name] = value ?? member.defaultValue }
      guard old == nil, entry.fields[member.name] == nil else { continue }
      if member.items != nil { entry.fields.set([], in: member.name) }
      entry.fields[member.name] = entry.fields[member.name] ?? member.defaultValue
    }
    if let member = collection.items, !plan.items.isEmpty {
      entry.fields.set(
        try items(plan, with: entry.fields.items(in: member.name) ?? [], member, in: view), in: member.name)
    }
    let size = EncodedFields(entry.fields).utf8.count
    guard size < DocumentSchema.documentBytes else {
      throw AppRefusal("\(entry.words) would have \(size) bytes, at most \(DocumentSchema.documentBytes) are allowed")
    }
    return entry
  }

  /// The items of a document after the import: those that it has, with the values of the file, and new ones. Items that its
  /// user removed stay removed.
  private func items(
    _ plan: Planned, with old: [DocumentItem], _ member: DocumentMember, in view: AppView
  ) throws(AppRefusal) -> [DocumentItem] {
    let members = member.items?.members ?? []
    var items = old
    for (id, values) in plan.items {
      if let place = items.firstIndex(where: { $0.id == id }) {
        guard !items[place].isRemoved else { continue }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
          let given = value ?? members.first { $0.name == name }?.defaultValue
          items[place] = items[place].setting(name.text, given.map(MemberWord.json(ofItem:)))
        }
      } else {
        var complete = values.compactMapValues(\.self)
        for member in members where complete[member.name] == nil { complete[member.name] = member.defaultValue }
        items.append(try ItemForming(members, at: view).item(id, complete))
      }
    }
    guard items.count <= DocumentSchema.itemLimit else {
      throw AppRefusal(
        "a document of \(collection.name) would have \(items.count) items, at most \(DocumentSchema.itemLimit) are allowed"
      )
    }
    return items
  }
}

extension EncodedFields {
  /// The canonical text of those values.
  fileprivate init(_ values: [Name: FieldValue?]) {
    self.init(Fields(values.compactMap { name, value in value.map { Field(name: name, value: $0) } }))
  }
}
