import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSync
import ZoneKitTables

/// Rows of a table as a mapping makes them of the rows of a foreign file.
struct RowTarget: ImportTarget {
  let data: RowData
  let table: RelationSchema.Table

  func value(
    _ rule: ImportMapping.FieldRule, in row: SourceTable.Row, of reader: SourceReader
  ) throws(SourceReader.Failure) -> FieldValue? {
    guard let column = table.column(rule.name) else { return nil }
    guard let cell = reader.cell(rule, in: row) else {
      guard column.source != .required else {
        throw SourceReader.Failure(
          offset: row.offset, message: "\(rule.name) has no value in this row, and must not be null")
      }
      return nil
    }
    let text = try text(of: cell, rule, column, reader)
    do throws(SQLFailure) {
      return column.fieldValue(try column.type.datum(text, now: 0))
    } catch {
      throw SourceReader.Failure(offset: cell.offset, message: "\(rule.name): \(error.message)")
    }
  }

  /// The text of a cell as PostgreSQL reads it: without the marks and in the order of dates that the mapping names.
  private func text(
    of cell: SourceTable.Cell, _ rule: ImportMapping.FieldRule, _ column: RelationSchema.Column, _ reader: SourceReader
  ) throws(SourceReader.Failure) -> String {
    switch column.type {
    case .smallint, .integer, .bigint: return "\(try reader.integer(cell, rule))"
    case .numeric, .real, .doublePrecision: return try reader.plain(cell, rule)
    case .date:
      let pattern = rule.dates ?? reader.mapping.dates
      return pattern == nil ? cell.text : TimeZoneRules.utc.day(of: try reader.local(cell, rule))
    case .timestamp, .timestamptz: return try reader.time(cell, rule).iso8601
    default: return cell.text
    }
  }

  func entry(_ id: String, isHash: Bool, _ values: [Name: FieldValue?]) throws(AppRefusal) -> OwnEntry {
    var fields = Fields()
    for column in table.keyColumns { if let value = values[Name(column.name)] { fields[Name(column.name)] = value } }
    if table.key.count == 1, case let column = table.keyColumns[0], fields[Name(column.name)] == nil {
      do throws(SQLFailure) {
        let text = isHash ? try Self.key(id, of: column) : id
        fields[Name(column.name)] = column.fieldValue(try column.type.datum(text, now: 0))
      } catch {
        throw AppRefusal("\(column.name): \(error.message)")
      }
    }
    guard let name = table.recordName(of: fields) else {
      let names = table.keyColumns.map(\.name).joined(separator: ", ")
      throw AppRefusal("a row of \(table.name) needs \(names), which is its key; say it in \"fields\"")
    }
    return OwnEntry(
      id: RecordID(recordName: name, zoneID: table.zoneID), type: table.recordType, word: name.text, fields: fields)
  }

  /// A key of the column's type that depends on a hash alone: of 32 hexadecimal digits the first ones of a number.
  private static func key(_ hash: String, of column: RelationSchema.Column) throws(SQLFailure) -> String {
    let bits = UInt64(hash.prefix(16), radix: 16) ?? 0
    switch column.type {
    case .integer: return "\(bits >> 33)"
    case .bigint: return "\(bits >> 11)"
    default: return hash
    }
  }

  func check(_ shelf: OwnShelf<RowData>) throws(AppRefusal) {}
}

extension DeviceApp.Interchange {
  /// The import and export of foreign files with rows of a table, as a mapping file says.
  static func mapped(_ bytes: [UInt8], into data: RowData) throws(AppRefusal) -> DeviceApp.MappedFiles {
    let mapping = try MappingReader.mapping(bytes)
    let table: RelationSchema.Table
    do throws(AppRefusal) {
      let type = try data.type(mapping.into, known: [], isNew: true)
      guard let known = data.schema.table(type.text) else { throw AppRefusal("there is no table \(type)") }
      table = known
    } catch {
      throw AppRefusal([FileProblem(nil, error.description)])
    }
    var problems = problems(of: mapping.items, bytes) { _ in "rows have no items; leave \"items\" out" }
    problems += self.problems(of: mapping.fields, bytes) { rule in
      do throws(AppRefusal) { _ = try data.column(rule.name, of: table) } catch { return error.description }
      return rule.type == nil ? nil : "\"type\" goes with records; the schema says the type of \(rule.name)"
    }
    let named = Set(mapping.fields.map(\.name))
    for column in table.columns where column.source == .required && !named.contains(column.name) {
      guard table.keyColumns != [column] else { continue }
      problems.append(FileProblem(nil, "a row of \(table.name) needs \(column.name), and the mapping does not say it"))
    }
    guard problems.isEmpty else { throw AppRefusal(problems) }
    let target = RowTarget(data: data, table: table)
    return DeviceApp.MappedFiles(
      check: { (file) throws(AppRefusal) in _ = try EntryImport(file, mapping, into: target, in: .utc) },
      merge: { (file, view) in try EntryImport(file, mapping, into: target, in: view.timeZone).answer(in: view) },
      export: { view in try MappedExport(data, mapping).export(view) })
  }
}
