import ZoneKitRecords
import ZoneKitSync

/// The name of the app that made the store, and the app's own values. They are in the table of the coordinator's values,
/// under keys that none of these has.
extension DeviceFile {
  /// The key of the app's name, which survives a reset or change of account.
  static let appKey = "app"
  /// The key of the text of the file that describes the app's data, which survives them too.
  static let appFileKey = "appFile"
  /// The beginning of the keys of the app's values, and the first text that sorts behind all of them.
  static let appValueKeys = (first: "app/", end: "app0")

  package func appValues() throws(StoreError) -> [String: DeviceValue] {
    var values: [String: DeviceValue] = [:]
    try statements.values.visit { row in
      let key = row.text(0)
      if key.hasPrefix(Self.appValueKeys.first) {
        values[String(key.dropFirst(Self.appValueKeys.first.count))] = value(row)
      }
      return true
    }
    return values
  }

  /// Writes changes of the app's values.
  func apply(_ changes: [AppValueChange]) throws(StoreError) {
    for change in changes { try set(Self.appValueKeys.first + change.key, to: change.value) }
  }

  /// The name of the app that made the store; nil if none is stored yet.
  package func app() throws(StoreError) -> String? { try text(ofKey: Self.appKey) }

  /// Stores the name of the app.
  package func setApp(_ name: String) throws(StoreError) {
    try statements.setValue.run(.text(Self.appKey), .text(name))
  }

  /// The text of the file that describes the app's data; nil if none is stored.
  package func appFile() throws(StoreError) -> [UInt8]? { try text(ofKey: Self.appFileKey).map { Array($0.utf8) } }

  /// Stores the text of the file that describes the app's data.
  package func setAppFile(_ text: [UInt8]) throws(StoreError) {
    try statements.setValue.run(.text(Self.appFileKey), .text(String(decoding: text, as: UTF8.self)))
  }

  private func text(ofKey key: String) throws(StoreError) -> String? {
    var text: String?
    try statements.values.visit { row in
      guard row.text(0) == key else { return true }
      text = row.text(1)
      return false
    }
    return text
  }
}
