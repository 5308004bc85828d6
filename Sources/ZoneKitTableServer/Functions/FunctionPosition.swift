import ZoneKitCloud

/// Up to where the rows of an account are known.
struct FunctionPosition: Hashable, Sendable {
  /// The incarnation of the zone with the rows.
  let incarnation: UInt64
  /// The sequence of the newest change.
  var sequence: Int64

  /// Whether a zone with that header goes on from here, with all tombstones since.
  func isContinued(by header: ZoneHeader) -> Bool {
    guard header.knows(incarnation), sequence <= header.sequence else { return false }
    return header.incarnation == incarnation || sequence >= header.horizon
  }
}
