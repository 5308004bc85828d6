/// How long WALs may become, in pages of 4 KiB.
struct CheckpointLimits {
  /// So many uncopied pages make the thread start (SQLite's own measure: wal.html, automatic checkpoint).
  var duePages = 1000
  /// A WAL of so many pages (48 MiB) is worth a moment of the writer's time: only the writer can restart it.
  var finishPages = 12288
  /// A WAL of so many pages (64 MiB) is too long: the writer waits until it is copied, and empties it. So no WAL is longer
  /// than this and the commit that reached it, but for a reader who holds on to old pages and for a failure to copy.
  var limitPages = 16384
}
