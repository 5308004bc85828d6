import ZoneKitRecords
import ZoneKitSync

/// The mark of the app that made the store. It is no value of the coordinator's and stays in place when a reset or another
/// account erases those.
extension DeviceFile {
  /// The key of the mark in the table of values.
  static let appKey = "app"

  /// The name of the app that made the store; nil in a store that has no mark yet.
  package func app() throws(StoreError) -> String? {
    var name: String?
    try statements.values.visit { row in
      guard row.text(0) == Self.appKey else { return true }
      name = row.text(1)
      return false
    }
    return name
  }

  /// Marks the store as that app's.
  package func setApp(_ name: String) throws(StoreError) {
    try statements.setValue.run(.text(Self.appKey), .text(name))
  }
}
