import ZoneKitRecords

/// The rows of an answer.
package enum RowSet: Hashable, Sendable {
  /// Rows as values.
  case rows([Row])
  /// The records of rows that belong to an account, as one block of memory. The answer copies from it.
  case page(RecordPage, owner: UUID)

  /// The number of rows.
  package var count: Int {
    switch self {
    case .rows(let rows): rows.count
    case .page(let page, owner: _): page.count
    }
  }

  /// The rows as values of that table. Throws if a record cannot be read.
  package func rows(of table: Table) throws(StoreError) -> [Row] {
    switch self {
    case .rows(let rows): rows
    case .page(let page, let owner):
      try page.rows.map { (row) throws(StoreError) in
        try Row.read(RowRecord(row, of: page), in: page.bytes, of: table, owner: owner).row
      }
    }
  }
}
