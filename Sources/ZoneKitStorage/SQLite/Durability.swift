/// What a commit survives (SQLite: pragma.html, synchronous).
package enum Durability: String, CaseIterable, Sendable {
  /// A power cut. Every commit waits for the disk.
  case full = "FULL"
  /// The end of the process. A power cut may undo the newest commits, but each one completely.
  case normal = "NORMAL"
  /// The end of the process. A power cut may destroy the file. For temporary data.
  case off = "OFF"
}
