/// How a SQLite file is opened.
package enum Access: Sendable {
  /// For reading and writing. The file is made if it is missing.
  case create
  /// For reading and writing. The file must exist.
  case existing
  /// For reading only, beside a process that owns the file or after its end. Nothing is written to the file or beside
  /// it.
  case observe
}
