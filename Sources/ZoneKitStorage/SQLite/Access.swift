/// How a SQLite file is opened.
package enum Access: Sendable {
  /// Read and written; made where it is missing.
  case create
  /// Read and written; it must be there.
  case existing
  /// Only read, beside a process that owns the file or after its end; nothing is written or made next to it.
  case observe
}
