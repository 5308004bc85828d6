/// Finds the columns of a table by names in ascending byte order, as the fields of a record come, in one pass.
struct ColumnWalk {
  private let columns: [(name: [UInt8], place: Int)]
  private var index = 0

  /// A walk over that table's columns.
  init(_ table: Table) { columns = table.sortedColumns }

  /// The place of the column of that name in the table; nil if there is none.
  mutating func place(of name: ArraySlice<UInt8>) -> Int? {
    while index < columns.count, columns[index].name.lexicographicallyPrecedes(name) { index += 1 }
    guard index < columns.count, columns[index].name.elementsEqual(name) else { return nil }
    return columns[index].place
  }
}
