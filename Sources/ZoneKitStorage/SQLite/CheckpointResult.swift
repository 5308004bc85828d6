/// How far a checkpoint came (SQLite: c3ref/wal_checkpoint_v2.html).
package struct CheckpointResult: Hashable, Sendable {
  /// How many pages the WAL held; -1 where somebody else was at it.
  package var pages: Int
  /// How many of them are in the file now.
  package var copied: Int
}
