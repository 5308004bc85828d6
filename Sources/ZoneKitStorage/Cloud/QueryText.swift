import ZoneKitCloud
import ZoneKitRecords

/// A part of an SQL statement, with the values of its parameters.
struct QueryText {
  private(set) var sql: String
  private(set) var values: [Statement.Value] = []

  /// That text without parameters.
  init(_ sql: String = "") { self.sql = sql }

  /// The text of a condition.
  init(_ condition: RecordCondition) {
    sql = ""
    append(condition)
  }

  /// Appends text.
  mutating func append(_ text: String) { sql += text }

  /// Appends text with its parameters.
  mutating func append(_ text: QueryText) {
    sql += text.sql
    values += text.values
  }

  /// Appends a parameter.
  mutating func append(_ value: Statement.Value) {
    sql += "?"
    values.append(value)
  }

  private mutating func append(_ condition: RecordCondition) {
    switch condition {
    case .all(let parts): append(parts, " AND ", none: "1")
    case .any(let parts): append(parts, " OR ", none: "0")
    case .not(let part):
      sql += "NOT ("
      append(part)
      sql += ")"
    case .compare(let key, let comparison, let value):
      sql += "\(key.expression) \(comparison.sign) "
      append(value.bound)
    case .isIn(let key, let list):
      // Without values SQLite does not distinguish false from unknown.
      guard !list.isEmpty else { return sql += "CASE WHEN \(key.expression) IS NOT NULL THEN 0 END" }
      sql += "\(key.expression) IN ("
      for (index, value) in list.enumerated() {
        if index > 0 { sql += "," }
        append(value.bound)
      }
      sql += ")"
    case .contains(let key, let texts):
      sql += "\(key.expression) LIKE "
      append(Self.pattern(of: texts))
      sql += " ESCAPE '\\'"
    case .isMissing(let key): sql += "\(key.expression) IS NULL"
    }
  }

  /// The pattern of the texts that have these texts, one after another.
  private static func pattern(of texts: [String]) -> Statement.Value {
    let literals = texts.map { text in
      String(
        String.UnicodeScalarView(text.unicodeScalars.flatMap { ["%", "_", "\\"].contains($0) ? ["\\", $0] : [$0] }))
    }
    return .text("%" + literals.joined(separator: "%") + "%")
  }

  private mutating func append(_ parts: [RecordCondition], _ word: String, none: String) {
    guard !parts.isEmpty else { return sql += none }
    for (index, part) in parts.enumerated() {
      if index > 0 { sql += word }
      sql += "("
      append(part)
      sql += ")"
    }
  }
}

extension RecordKey {
  /// The expression of the value over the table of records.
  var expression: String {
    switch self {
    case .recordName: "name"
    case .modifiedAt: "modified_at"
    case .field(let field): Self.member(field, "value")
    case .target(let field): Self.member(field, "value.recordName")
    }
  }

  private static func member(_ field: Name, _ path: String) -> String {
    let isField = field.text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    // No record has a field of any other name.
    return isField ? "json_extract(fields, '$.\(field).\(path)')" : "NULL"
  }

  /// The value in the name of an index.
  var word: String {
    switch self {
    case .recordName: "/name"
    case .modifiedAt: "/modified"
    case .field(let field): field.text
    case .target(let field): "\(field)/target"
    }
  }
}

extension RecordCondition {
  /// The value on which an index finds the records that fulfil the condition; nil if none does.
  var indexableKey: RecordKey? {
    switch self {
    case .compare(_, .notEqual, _), .contains, .all, .any, .not: nil
    case .isIn(let key, let values): values.isEmpty ? nil : key
    case .compare(let key, _, _), .isMissing(let key): key
    }
  }

  /// The value that has to be equal to one other; nil for other conditions.
  var equalKey: RecordKey? { if case .compare(let key, .equal, _) = self { key } else { nil } }
}

extension RecordCondition.Comparison {
  fileprivate var sign: String {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension RecordValue {
  fileprivate var bound: Statement.Value {
    switch self {
    case .integer(let number): .integer(number)
    case .number(let number): .real(number)
    case .text(let text): .text(text.text)
    }
  }
}
