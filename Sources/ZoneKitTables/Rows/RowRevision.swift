import ZoneKitRecords

/// A device and the revision of one of its rows, as `changed_by` names them: `<device>:<revision>`.
package struct RowRevision: Hashable, Sendable {
  /// The device's ID.
  package let deviceID: String
  /// The revision: how often the device changed the row.
  package let revision: Int64

  /// That revision of that device.
  package init(deviceID: String, revision: Int64) {
    self.deviceID = deviceID
    self.revision = revision
  }

  /// Reads `<device>:<revision>`; nil for any other text. The device may not look like a text that is stored in place of
  /// a device.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex else { return nil }
    let digits = text[text.index(after: colon)...]
    guard let revision = Int64(digits), revision >= 0, "\(revision)" == digits else { return nil }
    let device = String(text[..<colon])
    guard device != Author.unnamedDevice, device.utf8.first != UInt8(ascii: ":"), device.utf8.allSatisfy({ $0 >= 0x20 })
    else { return nil }
    self.init(deviceID: device, revision: revision)
  }

  /// The text of `changed_by`.
  package var text: String { "\(deviceID):\(revision)" }
}
