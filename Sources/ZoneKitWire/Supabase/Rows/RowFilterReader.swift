import ZoneKitRecords
import ZoneKitTables

/// Reads the conditions of a query on the rows of a table.
struct RowFilterReader {
  /// The most conditions of a query.
  static let conditionLimit = 200
  /// The most values of a list.
  static let listLimit = 1_000
  /// The deepest nesting of conditions in brackets.
  static let depthLimit = 8

  private let table: Table
  /// The number of conditions so far.
  private var count = 0

  /// A reader for that table's columns.
  init(_ table: Table) { self.table = table }

  /// The condition `column=filter`.
  mutating func filter(on column: String, _ text: String) throws(RowError) -> RowFilter {
    let column = try self.column(column)
    var reader = RowTextReader(text, of: "filter")
    return try filter(on: column, from: &reader, isNested: false)
  }

  /// The conditions `and=(…)` and `or=(…)`.
  mutating func conditions(_ text: String, isAny: Bool) throws(RowError) -> RowFilter {
    var reader = RowTextReader(text, of: "logic tree")
    let filter = try conditions(from: &reader, isAny: isAny, depth: 1)
    guard reader.isAtEnd else { throw reader.failure(expecting: "the end") }
    return filter
  }

  /// The conditions of a subscription to changes: `column=filter`, all of them, with commas between them (Tables over the
  /// wire, 6.3).
  mutating func subscription(_ text: String) throws(RowError) -> RowFilter {
    var reader = RowTextReader(text, of: "filter")
    var filters: [RowFilter] = []
    repeat {
      let column = try self.column(try reader.name())
      try reader.require("=")
      filters.append(try filter(on: column, from: &reader, isNested: true))
    } while reader.skip(",")
    guard reader.isAtEnd else { throw reader.failure(expecting: "a comma or the end") }
    return filters.count == 1 ? filters[0] : .all(filters)
  }

  private mutating func conditions(
    from reader: inout RowTextReader, isAny: Bool, depth: Int
  ) throws(RowError) -> RowFilter {
    guard depth <= Self.depthLimit else {
      throw reader.failure(expecting: "at most \(Self.depthLimit) nested conditions")
    }
    try reader.require("(")
    var filters: [RowFilter] = []
    repeat {
      reader.skipBlanks()
      filters.append(try condition(from: &reader, depth: depth))
      reader.skipBlanks()
    } while reader.skip(",")
    try reader.require(")")
    return isAny ? .any(filters) : .all(filters)
  }

  private mutating func condition(from reader: inout RowTextReader, depth: Int) throws(RowError) -> RowFilter {
    for (words, isAny, isNegated) in Self.logic where reader.skip(words, before: "(") {
      let filter = try conditions(from: &reader, isAny: isAny, depth: depth + 1)
      return isNegated ? .not(filter) : filter
    }
    let column = try self.column(try reader.name())
    try reader.require(".")
    return try filter(on: column, from: &reader, isNested: true)
  }

  /// What stands before a bracket. The bracket itself is read with the conditions.
  static let logic: [(words: String, isAny: Bool, isNegated: Bool)] = [
    ("and", false, false), ("or", true, false), ("not.and", false, true), ("not.or", true, true),
  ]

  private mutating func filter(
    on column: Column, from reader: inout RowTextReader, isNested: Bool
  ) throws(RowError) -> RowFilter {
    count += 1
    guard count <= Self.conditionLimit else {
      throw RowError(.unreadableQuery, "more than \(Self.conditionLimit) conditions in one request")
    }
    let isNegated = reader.skip("not.")
    let start = reader
    let word = reader.word()
    let filter: RowFilter
    if let comparison = RowFilter.Comparison(rawValue: word) {
      try reader.require(".")
      let text = isNested ? try reader.value() : reader.rest()
      filter = .compare(column.name, comparison, try RowValue(text: text, as: column.type))
    } else {
      switch word {
      case "like", "ilike":
        try reader.require(".")
        let text = isNested ? try reader.value() : reader.rest()
        filter = try like(column, text, ignoresCase: word == "ilike")
      case "in":
        try reader.require(".")
        filter = .isIn(column.name, try list(of: column, from: &reader))
      case "is":
        try reader.require(".")
        filter = try test(column, from: &reader)
      default: throw start.failure(expecting: "an operator (eq, neq, gt, gte, lt, lte, like, ilike, in, is)")
      }
    }
    guard isNested || reader.isAtEnd else { throw reader.failure(expecting: "the end") }
    return isNegated ? .not(filter) : filter
  }

  private func like(_ column: Column, _ text: String, ignoresCase: Bool) throws(RowError) -> RowFilter {
    guard column.type == .text else {
      throw RowError(
        .undefinedOperator, "operator does not exist: \(column.type.name) \(ignoresCase ? "~~*" : "~~") unknown",
        hint: "No operator matches the given name and argument types.")
    }
    let pattern = String(text.map { $0 == "*" ? "%" : $0 })
    return .like(column.name, LikePattern(pattern, ignoresCase: ignoresCase))
  }

  private func list(of column: Column, from reader: inout RowTextReader) throws(RowError) -> [RowValue] {
    try reader.require("(")
    if reader.skip(")") { return [] }
    var values: [RowValue] = []
    repeat {
      values.append(try RowValue(text: try reader.value(), as: column.type))
      guard values.count <= Self.listLimit else {
        throw RowError(.unreadableQuery, "more than \(Self.listLimit) values in one list")
      }
    } while reader.skip(",")
    try reader.require(")")
    return values
  }

  private func test(_ column: Column, from reader: inout RowTextReader) throws(RowError) -> RowFilter {
    let start = reader
    guard let test = RowFilter.Test(rawValue: reader.word()) else {
      throw start.failure(expecting: "null, not_null, true, false or unknown")
    }
    switch test {
    case .null, .notNull: break
    case .true, .false, .unknown:
      guard column.type == .bool else {
        throw RowError(
          .notBoolean,
          "argument of IS \(test.rawValue.uppercased()) must be type boolean, not type \(column.type.name)")
      }
    }
    return .test(column.name, test)
  }

  private func column(_ name: String) throws(RowError) -> Column {
    guard let column = table.column(Name(name)) else { throw .unknownColumn(Name(name), of: table.name) }
    return column
  }
}
