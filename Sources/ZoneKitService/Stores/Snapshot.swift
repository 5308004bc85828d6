import ZoneKitRecords

/// A whole state, cloud and devices, saved under a name.
package struct Snapshot: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// When it was saved; nil where its note cannot be read.
  package var savedAt: WallTime?
  /// How many bytes its files have.
  package var bytes: Int64
  /// The devices in it, ascending.
  package var devices: [String]
  /// Its folder.
  package var path: String
}
