/// The result of a checkpoint (SQLite: c3ref/wal_checkpoint_v2.html).
package struct CheckpointResult: Hashable, Sendable {
  /// The number of pages in the WAL; -1 if another connection was running a checkpoint.
  package var pages: Int
  /// The number of these pages that are in the file now.
  package var copied: Int
}
