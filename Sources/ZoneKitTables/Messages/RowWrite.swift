/// Rows to insert or to merge.
package struct RowWrite: Hashable, Sendable {
  /// What is done for a row whose key exists.
  package enum Resolution: Hashable, Sendable {
    /// The request is refused.
    case refuse
    /// The versions are merged: the greater one is kept.
    case merge
    /// The row that exists is left alone.
    case ignore
  }

  /// The rows, in the order of the request.
  package var rows: [RowContent]
  /// What is done for a row whose key exists.
  package var resolution: Resolution

  /// Those rows.
  package init(_ rows: [RowContent], resolution: Resolution) {
    self.rows = rows
    self.resolution = resolution
  }
}
