/// A view: a name for a query.
package struct CreateView: Equatable, Sendable {
  /// The view.
  package var name: SQLName
  /// Other names of its first columns.
  package var columns: [String]
  /// The query.
  package var query: SQLQuery
  /// Whether it reads the rows alone that who asks may read, instead of all rows.
  package var isInvoker: Bool
  /// Whether it may replace one of that name.
  package var replaces: Bool

  /// A view of that query.
  package init(
    _ name: SQLName, columns: [String] = [], _ query: SQLQuery, isInvoker: Bool = false, replaces: Bool = false
  ) {
    self.name = name
    self.columns = columns
    self.query = query
    self.isInvoker = isInvoker
    self.replaces = replaces
  }
}
