/// The limits of requests for rows.
package struct RowLimits: Hashable, Sendable {
  /// The most rows of one write.
  package var writtenRows = 5_000
  /// The most rows that a request changes, with those that are deleted or restored with them.
  package var changedRows = 20_000
  /// The most rows that a function reads in one turn.
  package var functionRows = 10_000
  /// The most rows of an answer.
  package var answeredRows = 1_000
  /// The most bytes of the text of a row's record.
  package var rowBytes = 1 << 20
  /// How far an edit stamp may be ahead of the server's clock, in milliseconds.
  package var stampLead: Int64 = 120_000

  /// The usual limits.
  package init() {}
}
