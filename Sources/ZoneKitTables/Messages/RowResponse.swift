/// The answer to a request for rows.
package enum RowResponse: Hashable, Sendable {
  /// The request was carried out.
  case done(RowResult)
  /// The request was refused and changed nothing.
  case refused(RowError)
}
