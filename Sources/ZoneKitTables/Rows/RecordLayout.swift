import ZoneKitRecords

/// How the fields of a table's records are written: in ascending order of the columns' names, each with a beginning that
/// is the same in all records, such as `"name":{"type":"STRING","value":`. A walk compares that beginning as a whole.
struct RecordLayout: Sendable {
  /// A field.
  struct Field: Sendable {
    /// The range of its beginning in `text`.
    var beginning: Range<Int>
    /// The range of its name there, without quotes.
    var name: Range<Int>
    /// The place of its column in the table; `columns.count` for the changes that the server has accepted.
    var place: Int
  }

  /// The beginnings of all fields.
  let text: [UInt8]
  /// The fields, in ascending order of their names.
  let fields: [Field]

  /// The layout of the records of a table with those columns.
  init(_ columns: [Column]) {
    var named = columns.enumerated().filter { $1.isField }.map { (name: $1.name, type: $1.fieldType, place: $0) }
    named.append((AppliedChanges.field, .string, columns.count))
    named.sort { $0.name < $1.name }
    var text: [UInt8] = []
    var fields: [Field] = []
    for (name, type, place) in named {
      let start = text.count
      text.appendJSONString(name.text)
      let nameRange = start + 1..<text.count - 1
      text.append(literal: ":{\"type\":")
      text.appendJSONString(type.rawValue)
      text.append(literal: ",\"value\":")
      fields.append(Field(beginning: start..<text.count, name: nameRange, place: place))
    }
    self.text = text
    self.fields = fields
  }
}
