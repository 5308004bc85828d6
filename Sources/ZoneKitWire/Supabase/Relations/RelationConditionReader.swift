import ZoneKitRelations
import ZoneKitTables

/// Reads conditions (PostgREST: horizontal filtering, operators, logical operators).
struct RelationConditionReader {
  /// The number of conditions so far.
  private var count = 0

  /// The condition `field=filter`.
  mutating func condition(on field: RelationField, _ text: String) throws(RowError) -> RelationCondition {
    var reader = RowTextReader(text, of: "filter")
    return try condition(on: field, from: &reader, isNested: false)
  }

  /// The conditions `and=(…)` and `or=(…)`.
  mutating func conditions(_ text: String, isAny: Bool) throws(RowError) -> RelationCondition {
    var reader = RowTextReader(text, of: "logic tree")
    let condition = try conditions(from: &reader, isAny: isAny, depth: 1)
    guard reader.isAtEnd else { throw reader.failure(expecting: "the end") }
    return condition
  }

  /// The conditions of a subscription to changes: `column=filter`, all of them, with commas between them.
  static func subscription(_ text: String) throws(RowError) -> RelationCondition {
    var own = RelationConditionReader()
    var reader = RowTextReader(text, of: "filter")
    var conditions: [RelationCondition] = []
    repeat {
      let field = RelationField(try reader.name())
      try reader.require("=")
      conditions.append(try own.condition(on: field, from: &reader, isNested: true))
    } while reader.skip(",")
    guard reader.isAtEnd else { throw reader.failure(expecting: "a comma or the end") }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  private mutating func conditions(
    from reader: inout RowTextReader, isAny: Bool, depth: Int
  ) throws(RowError) -> RelationCondition {
    guard depth <= RowFilterReader.depthLimit else {
      throw reader.failure(expecting: "at most \(RowFilterReader.depthLimit) nested conditions")
    }
    try reader.require("(")
    var conditions: [RelationCondition] = []
    repeat {
      reader.skipBlanks()
      conditions.append(try nested(from: &reader, depth: depth))
      reader.skipBlanks()
    } while reader.skip(",")
    try reader.require(")")
    return isAny ? .any(conditions) : .all(conditions)
  }

  private mutating func nested(from reader: inout RowTextReader, depth: Int) throws(RowError) -> RelationCondition {
    for (words, isAny, isNegated) in RowFilterReader.logic where reader.skip(words, before: "(") {
      let conditions = try conditions(from: &reader, isAny: isAny, depth: depth + 1)
      return isNegated ? .not(conditions) : conditions
    }
    let field = RelationField(try reader.name(), try reader.path())
    try reader.require(".")
    return try condition(on: field, from: &reader, isNested: true)
  }

  private mutating func condition(
    on field: RelationField, from reader: inout RowTextReader, isNested: Bool
  ) throws(RowError) -> RelationCondition {
    count += 1
    guard count <= RowFilterReader.conditionLimit else {
      throw RowError(.unreadableQuery, "more than \(RowFilterReader.conditionLimit) conditions in one request")
    }
    let isNegated = reader.skip("not.")
    let start = reader
    let word = reader.word()
    let condition: RelationCondition
    if let comparison = RelationComparison(rawValue: word) {
      condition = try compare(field, comparison, from: &reader, isNested: isNested)
    } else if word == "in" {
      try reader.require(".")
      condition = .isIn(field, try list(from: &reader))
    } else if word == "is" {
      try reader.require(".")
      let place = reader
      guard let test = RelationTest(rawValue: reader.word()) else {
        throw place.failure(expecting: "null, not_null, true, false or unknown")
      }
      condition = .test(field, test)
    } else {
      throw start.failure(expecting: Self.operators)
    }
    guard isNested || reader.isAtEnd else { throw reader.failure(expecting: "the end") }
    return isNegated ? .not(condition) : condition
  }

  private static let operators =
    "an operator (\((RelationComparison.allCases.map(\.rawValue) + ["in", "is"]).joined(separator: ", ")))"

  private func compare(
    _ field: RelationField, _ comparison: RelationComparison, from reader: inout RowTextReader, isNested: Bool
  ) throws(RowError) -> RelationCondition {
    let isAny: Bool? = reader.skip("(any)") ? true : reader.skip("(all)") ? false : nil
    try reader.require(".")
    let text = isNested ? try reader.operand() : reader.rest()
    return isAny.map { .compareElements(field, comparison, isAny: $0, text) } ?? .compare(field, comparison, text)
  }

  private func list(from reader: inout RowTextReader) throws(RowError) -> [String] {
    try reader.require("(")
    if reader.skip(")") { return [] }
    var values: [String] = []
    repeat {
      values.append(try reader.value())
      guard values.count <= RowFilterReader.listLimit else {
        throw RowError(.unreadableQuery, "more than \(RowFilterReader.listLimit) values in one list")
      }
    } while reader.skip(",")
    try reader.require(")")
    return values
  }
}

extension RowTextReader {
  /// A value of a condition within brackets. An array is read with its braces, which may have commas between them.
  fileprivate mutating func operand() throws(RowError) -> String {
    next == UInt8(ascii: "{") ? try braced() : try value()
  }
}
