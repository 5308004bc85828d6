import ZoneKitRecords
import ZoneKitRelations

/// How values of a type are kept in a column of SQLite. The order of what is kept is that of the values, except for the types
/// that have a collation.
struct DatumForm {
  let type: DatumType

  /// The collation with which what is kept has the order of the values; nil where SQLite's own order is that.
  var collation: String? { DatumCollation.needs(type) ? DatumCollation.name(of: type) : nil }

  /// What is kept.
  func value(_ datum: Datum) -> Statement.Value {
    switch datum {
    case .null: .null
    case .boolean(let bool): .flag(bool)
    case .integer(let number), .date(let number), .time(let number), .timestamp(let number): .integer(number)
    // SQLite keeps no such number, and texts come behind all numbers, as this one does.
    case .double(let number): number.isNaN ? .text("NaN") : .real(number)
    case .text(let text): .text(Self.isPadded(type) ? Self.withoutBlanks(text) : text)
    case .label(_, let place): .integer(Int64(place))
    case .bytes(let bytes): .bytes(bytes)
    case .numeric, .uuid, .json, .jsonb, .array: .text(type.text(of: datum))
    }
  }

  /// The value of what is kept.
  func datum(_ kept: some KeptValue) throws(StoreError) -> Datum {
    guard !kept.isNull else { return .null }
    switch type {
    case .boolean: return .boolean(kept.integer != 0)
    case .smallint, .integer, .bigint: return .integer(kept.integer)
    case .date: return .date(kept.integer)
    case .time: return .time(kept.integer)
    case .timestamp, .timestamptz: return .timestamp(kept.integer)
    case .real, .doublePrecision: return .double(kept.isText ? .nan : kept.real)
    case .text, .varchar: return .text(kept.text)
    case .json: return .json(kept.text)
    case .bytea: return .bytes(Array(kept.bytes))
    case .enumeration(let type):
      guard let place = Int(exactly: kept.integer), type.labels.indices.contains(place) else {
        throw damage("\(kept.integer) is no place of a value of \(type.name)")
      }
      return .label(type.labels[place], place: place)
    // What is kept needs no reading of all that a client may write.
    case .uuid:
      if let id = UUID(kept.text) { return .uuid(id) }
      return try datum(kept.text)
    case .numeric:
      if let number = Numeric(kept.text) { return .numeric(number) }
      return try datum(kept.text)
    case .char, .jsonb, .array: return try datum(kept.text)
    }
  }

  /// Appends the value of what is kept as JSON. It is copied where JSON has it as it is kept.
  func append(_ kept: some KeptValue, toJSON bytes: inout [UInt8]) throws(StoreError) {
    guard !kept.isNull else {
      bytes += "null".utf8
      return
    }
    switch type {
    case .text, .varchar: bytes.appendJSONString(utf8: Span(_unsafeBytes: kept.bytes))
    case .uuid:
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: kept.bytes)
      bytes.append(UInt8(ascii: "\""))
    case .smallint, .integer, .bigint: bytes.appendDecimal(kept.integer)
    default: type.append(try datum(kept), toJSON: &bytes)
    }
  }

  /// The value of a text that is kept.
  func datum(_ text: String) throws(StoreError) -> Datum {
    do throws(SQLFailure) {
      return try type.datum(text, now: 0)
    } catch {
      throw damage(error.message)
    }
  }

  private func damage(_ message: String) -> StoreError { StoreError(.corrupt, message, place: "a row of a table") }

  private static func isPadded(_ type: DatumType) -> Bool { if case .char = type { true } else { false } }

  /// Two texts that differ in blanks at their ends are equal.
  private static func withoutBlanks(_ text: String) -> String {
    let end = text.utf8.lastIndex { $0 != UInt8(ascii: " ") }.map { text.utf8.index(after: $0) }
    return String(text[..<(end ?? text.startIndex)])
  }
}
