import ZoneKitRecords

/// Which tombstones of a zone a purge forgets.
package enum TombstonePurge {
  /// The number of tombstones that are forgotten, of those that were made at these times, in the order of their sequences.
  /// Sequences grow with time. If a clock went back, no older tombstone may remain behind a purged younger one.
  package static func count(_ times: [WallTime], before time: WallTime) -> Int {
    (times.lastIndex { $0 < time } ?? -1) + 1
  }
}
