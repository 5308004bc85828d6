import ZoneKitRecords
import ZoneKitTables

/// Reads the query of a URL under `/rest/v1/<table>`. Each item that is no word of the protocol is a condition.
struct RowQueryReader {
  private let table: Table
  /// What is read, without the conditions.
  private(set) var query = RowQuery()
  /// The columns that a write names in `columns`; nil if it names none.
  private(set) var columns: [Name]?
  /// The columns of `on_conflict`; nil if there is none.
  private(set) var conflict: [Name]?
  private var filters: RowFilterReader

  /// Reads those items.
  init(_ items: [HTTPField], of table: Table) throws(RowError) {
    self.table = table
    filters = RowFilterReader(table)
    for item in items { try read(item) }
  }

  private mutating func read(_ item: HTTPField) throws(RowError) {
    switch item.name {
    case "select": query.selection = try selection(item.value)
    case "order": query.order = try order(item.value)
    case "limit": query.limit = try Self.number(item)
    case "offset": query.offset = try Self.number(item)
    case "columns": columns = try RowTextReader.names(item.value, of: "columns parameter").map { Name($0) }
    case "on_conflict": conflict = try RowTextReader.names(item.value, of: "on_conflict parameter").map { Name($0) }
    case "and", "or": query.filters.append(try filters.conditions(item.value, isAny: item.name == "or"))
    case "not.and", "not.or":
      query.filters.append(.not(try filters.conditions(item.value, isAny: item.name == "not.or")))
    default: query.filters.append(try filters.filter(on: item.name, item.value))
    }
  }

  /// The number of an item.
  static func number(_ item: HTTPField) throws(RowError) -> Int {
    guard let number = Int(item.value), number >= 0 else {
      throw RowError(.unreadableQuery, "\(item.name) is \"\(item.value)\" instead of a whole number from 0")
    }
    return number
  }

  private func selection(_ text: String) throws(RowError) -> RowSelection {
    var reader = RowTextReader(text, of: "select parameter")
    var columns: [RowSelection.Column] = []
    reader.skipBlanks()
    if reader.isAtEnd { return .all }
    repeat {
      reader.skipBlanks()
      if reader.skip("*") {
        columns += RowSelection.all.columns(of: table)
      } else {
        columns.append(try column(from: &reader))
      }
      reader.skipBlanks()
    } while reader.skip(",")
    guard reader.isAtEnd else { throw reader.failure(expecting: "\",\"") }
    return columns == RowSelection.all.columns(of: table) ? .all : .columns(columns)
  }

  private func column(from reader: inout RowTextReader) throws(RowError) -> RowSelection.Column {
    var column = RowSelection.Column(Name(try reader.name()))
    reader.skipBlanks()
    column.isText = reader.skip("::")
    if !column.isText, reader.skip(":") {
      reader.skipBlanks()
      column = RowSelection.Column(Name(try reader.name()), alias: column.name.text)
      column.isText = reader.skip("::")
    }
    if column.isText {
      let start = reader
      guard reader.word() == "text" else {
        throw start.failure(expecting: "text, the only type to which values are cast")
      }
    }
    reader.skipBlanks()
    guard reader.isAtEnd || reader.next == UInt8(ascii: ",") else {
      throw reader.failure(expecting: "\",\"; embedding and functions are not served")
    }
    guard table.column(column.name) != nil else { throw .unknownColumn(column.name, of: table.name) }
    return column
  }

  private func order(_ text: String) throws(RowError) -> [RowQuery.Order] {
    var reader = RowTextReader(text, of: "order")
    var terms: [RowQuery.Order] = []
    if reader.isAtEnd { return terms }
    repeat {
      reader.skipBlanks()
      let column = Name(try reader.name())
      guard table.column(column) != nil else { throw .unknownColumn(column, of: table.name) }
      let (isDescending, nullsFirst) = reader.direction()
      terms.append(RowQuery.Order(column, isDescending: isDescending, nullsFirst: nullsFirst))
      reader.skipBlanks()
    } while reader.skip(",")
    guard reader.isAtEnd else { throw reader.failure(expecting: "\",\", asc, desc, nullsfirst or nullslast") }
    return terms
  }
}
