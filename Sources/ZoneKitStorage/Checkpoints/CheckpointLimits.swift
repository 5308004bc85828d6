/// Lengths of a WAL at which a checkpoint step is due, in pages of 4 KiB.
struct CheckpointLimits {
  /// The number of uncopied pages at which the thread starts copying (SQLite's own default: wal.html, automatic
  /// checkpoint).
  var duePages = 1000
  /// The length (48 MiB) from which the writer copies the last pages itself: only the writer can restart a WAL.
  var finishPages = 12288
  /// The length (64 MiB) at which the writer waits until the WAL is copied, and empties it. A WAL grows beyond it only
  /// by the commit that reached it, while a reader uses old pages, or after a failure to copy.
  var limitPages = 16384
}
