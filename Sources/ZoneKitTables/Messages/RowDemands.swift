/// What a request asks of its answer, beside the rows.
package struct RowDemands: Hashable, Sendable {
  /// Whether the answer states the number of all rows.
  package var countsRows: Bool
  /// Whether exactly one row is asked for. A write that finds another number of rows changes nothing.
  package var isSingle: Bool
  /// The most rows that a write may change; nil for any number.
  package var rowLimit: Int?

  /// No demands unless stated otherwise.
  package init(countsRows: Bool = false, isSingle: Bool = false, rowLimit: Int? = nil) {
    self.countsRows = countsRows
    self.isSingle = isSingle
    self.rowLimit = rowLimit
  }
}
