import ZoneKitRecords

/// What a function knows of the rows of one account.
package protocol FunctionState: Sendable {
  /// A row, or a new version of one, was read. Rows come in any order.
  mutating func put(_ row: Row, of table: Name)

  /// A row was removed.
  mutating func remove(_ key: RowKey, from table: Name)

  /// The answer to the JSON document of an account's request.
  func answer(to argument: JSON, for account: UUID) throws(FunctionError) -> JSON
}
