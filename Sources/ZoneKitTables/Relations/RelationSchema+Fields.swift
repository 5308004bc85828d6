import ZoneKitRecords
import ZoneKitRelations

/// The form of a row as a device keeps it: a record in the zone of its table, named by its key, with a field for each column
/// that has a value.
extension RelationSchema.Table {
  /// The type of the table's records.
  package var recordType: Name { Name(name) }

  /// The zone of the table's records.
  package var zoneID: ZoneID { ZoneID(zoneName: Name(name)) }

  /// The fields of a row. Members that are no columns of the table are left out. Throws if a value does not fit its column.
  package func fields(of row: [JSON.Member]) throws(SQLFailure) -> Fields {
    var fields: [Field] = []
    for column in columns {
      guard let json = row.first(where: { $0.key.utf8.elementsEqual(column.name.utf8) })?.value else { continue }
      guard let value = column.fieldValue(try column.type.datum(json, now: 0)) else { continue }
      fields.append(Field(name: Name(column.name), value: value))
    }
    return Fields(fields)
  }

  /// The name of the record of a row with those fields: the texts of its key with commas between them; nil if a column of the
  /// key has no value.
  package func recordName(of fields: Fields) -> Name? {
    var texts: [String] = []
    for column in keyColumns {
      guard let value = fields[Name(column.name)] else { return nil }
      texts.append(column.text(of: value))
    }
    return recordName(ofKey: texts)
  }

  /// The name of the record of the row with those texts as its key.
  package func recordName(ofKey texts: [String]) -> Name {
    guard texts.count > 1 else { return Name(texts.first ?? "") }
    return Name(texts.map { $0.replacing("%", with: "%25").replacing(",", with: "%2C") }.joined(separator: ","))
  }

  /// The texts of the key of the row whose record has that name; nil if the name is not that of a row.
  package func key(ofRecord name: Name) -> [String]? {
    guard key.count > 1 else { return [name.text] }
    let parts = name.text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == key.count else { return nil }
    return parts.map { String($0).replacing("%2C", with: ",").replacing("%25", with: "%") }
  }

  /// The conditions that a row has the key of those texts.
  package func conditions(ofKey texts: [String]) -> [RelationCondition] {
    zip(keyColumns, texts).map { .compare(RelationField($0.name), .equal, $1) }
  }

  /// The change tag of a row with those fields, which depends on nothing else. A database has no versions of rows.
  package static func changeTag(of fields: EncodedFields) -> ChangeTag { ChangeTag(ContentHash.of([fields.utf8])) }
}

extension RelationSchema.Column {
  /// A value as the field of a record has it: whole numbers and truths as integers, other numbers as such, anything else as
  /// PostgreSQL writes it; nil for null.
  package func fieldValue(_ datum: Datum) -> FieldValue? {
    switch datum {
    case .null: nil
    case .boolean(let isTrue): .int64(isTrue ? 1 : 0)
    case .integer(let number): .int64(number)
    case .double(let number) where number.isFinite: .double(number)
    default: .string(type.text(of: datum))
    }
  }

  /// The value of a field as PostgreSQL reads it. A field of another type than the column's has the empty text.
  package func text(of value: FieldValue) -> String {
    switch value {
    case .int64(let number): type == .boolean ? (number == 0 ? "false" : "true") : "\(number)"
    case .double(let number): type.text(of: .double(number))
    case .string(let text): text
    default: ""
    }
  }

  /// The value of a field as a write states it; null for no value.
  package func json(of value: FieldValue?) -> JSON {
    guard let value else { return .null }
    switch (type, value) {
    case (.boolean, .int64(let number)): return .bool(number != 0)
    case (_, .int64(let number)): return .integer(number)
    case (.json, .string(let text)), (.jsonb, .string(let text)): return (try? JSON(exactly: text)) ?? .string(text)
    case (.array, .string(let text)):
      guard let datum = try? type.datum(text, now: 0) else { return .string(text) }
      var bytes: [UInt8] = []
      type.append(datum, toJSON: &bytes)
      return (try? JSON(exactly: bytes)) ?? .string(text)
    default: return .string(text(of: value))
    }
  }
}
