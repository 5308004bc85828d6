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
    case .beginsWith(let key, let beginning): append(key, beginningWith: beginning)
    case .isMissing(let key): sql += "\(key.expression) IS NULL"
    case .isNotTrue(let part):
      sql += "(("
      append(part)
      sql += ") IS NOT TRUE)"
    // Such conditions are not asked of SQLite; see `needsFields`.
    case .elements, .hasWords, .isNear: sql += "1"
    }
  }

  /// A range, for which SQLite can use an index. The end is the beginning with its last character raised by one.
  private mutating func append(_ key: RecordKey, beginningWith beginning: String) {
    guard !beginning.isEmpty else { return append(.compare(key, .greaterOrEqual, .text(""))) }
    sql += "\(key.expression) >= "
    append(.text(beginning))
    if let end = beginning.endOfBeginnings {
      sql += " AND \(key.expression) < "
      append(.text(end))
    }
    // A number is less than every text, so the range has only texts.
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
    case .createdAt: "created_at"
    case .modifiedAt: "modified_at"
    case .createdBy: "(SELECT user FROM authors WHERE id = created_by)"
    case .modifiedBy: "(SELECT user FROM authors WHERE id = modified_by)"
    case .parent: "parent"
    // No record belongs to a share, and distances are not asked of SQLite.
    case .share, .distance: "NULL"
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
    case .createdAt: "/created"
    case .modifiedAt: "/modified"
    case .createdBy: "/createdBy"
    case .modifiedBy: "/modifiedBy"
    case .parent: "/parent"
    case .share: "/share"
    case .distance(let field, _): "\(field)/distance"
    case .field(let field): field.text
    case .target(let field): "\(field)/target"
    }
  }
}

extension String {
  /// The least text that is greater than every text with this beginning; nil if there is none. Texts compare by their
  /// bytes, which is the order of their characters.
  fileprivate var endOfBeginnings: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Surrogates are no characters.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let raised = Unicode.Scalar(next) else { continue }
      return String(String.UnicodeScalarView(scalars + [raised]))
    }
    return nil
  }
}

extension RecordKey {
  /// Whether the value is computed from the decoded fields of a record, and not by SQLite.
  var needsFields: Bool { if case .distance = self { true } else { false } }

  /// Whether an index can have the value. Users are in another table.
  var isIndexable: Bool {
    switch self {
    case .recordName, .createdAt, .modifiedAt, .parent, .field, .target: true
    case .createdBy, .modifiedBy, .share, .distance: false
    }
  }
}

extension RecordCondition {
  /// Whether the condition is judged on the decoded fields of a record, and not by SQLite.
  var needsFields: Bool {
    switch self {
    case .elements, .hasWords, .isNear: true
    case .all(let parts), .any(let parts): parts.contains { $0.needsFields }
    case .not(let part), .isNotTrue(let part): part.needsFields
    case .compare(let key, _, _), .isIn(let key, _), .contains(let key, _), .beginsWith(let key, _),
      .isMissing(let key):
      key.needsFields
    }
  }

  /// The value on which an index finds the records that fulfil the condition; nil if none does.
  var indexableKey: RecordKey? {
    let key: RecordKey? =
      switch self {
      case .compare(_, .notEqual, _), .contains, .all, .any, .not, .isNotTrue, .elements, .hasWords, .isNear: nil
      case .isIn(let key, let values): values.isEmpty ? nil : key
      case .compare(let key, _, _), .beginsWith(let key, _), .isMissing(let key): key
      }
    return key.flatMap { $0.isIndexable ? $0 : nil }
  }

  /// The value that has to be equal to one other; nil for other conditions.
  var equalKey: RecordKey? {
    if case .compare(let key, .equal, _) = self, key.isIndexable { key } else { nil }
  }
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
  var bound: Statement.Value {
    switch self {
    case .integer(let number): .integer(number)
    case .number(let number): .real(number)
    case .text(let text): .text(text.text)
    }
  }
}
