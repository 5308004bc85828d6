/// What a commit survives (SQLite: pragma.html, synchronous).
package enum Durability: String, CaseIterable, Sendable {
  /// A power cut: every commit waits for the disk.
  case full = "FULL"
  /// The end of the process; a power cut may take back the newest commits, never tear one.
  case normal = "NORMAL"
  /// The end of the process; a power cut may destroy the file. For throwaway data.
  case off = "OFF"
}
