import ZoneKitRecords
import ZoneKitSync

/// The name of the app that made the store. It is not one of the coordinator's values and survives a reset or change of
/// account that erases those.
extension DeviceFile {
  /// Its key in the table of values.
  static let appKey = "app"

  /// The name of the app that made the store; nil if none is stored yet.
  package func app() throws(StoreError) -> String? {
    var name: String?
    try statements.values.visit { row in
      guard row.text(0) == Self.appKey else { return true }
      name = row.text(1)
      return false
    }
    return name
  }

  /// Stores the name of the app.
  package func setApp(_ name: String) throws(StoreError) {
    try statements.setValue.run(.text(Self.appKey), .text(name))
  }
}
