public import ZoneKitRecords

/// The rows of an answer.
public enum RowSet: Hashable, Sendable {
  /// Rows as values.
  case rows([Row])
  /// The records of rows that belong to an account, as one block of memory. The answer copies from it.
  case page(RecordPage, owner: UUID)

  /// The number of rows.
  public var count: Int {
    switch self {
    case .rows(let rows): rows.count
    case .page(let page, owner: _): page.count
    }
  }
}
