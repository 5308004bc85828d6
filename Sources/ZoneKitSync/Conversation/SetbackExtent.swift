/// What waits for the end of the back-off after a sync with a setback.
package enum SetbackExtent: Int, Comparable, Sendable {
  /// Only the zones that failed. Further syncs leave them out.
  case zones
  /// Fetching. Local changes are sent.
  case fetching
  /// All requests.
  case everything

  /// Orders extents from the smallest to the largest.
  package static func < (first: SetbackExtent, second: SetbackExtent) -> Bool { first.rawValue < second.rawValue }
}
