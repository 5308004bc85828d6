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
    let bytes = text.utf8
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon != bytes.startIndex,
      let revision = Self.number(bytes[bytes.index(after: colon)...])
    else { return nil }
    let device = String(text[..<colon])
    guard device != Author.unnamedDevice, device.utf8.first != UInt8(ascii: ":"), device.utf8.allSatisfy({ $0 >= 0x20 })
    else { return nil }
    self.init(deviceID: device, revision: revision)
  }

  /// The number in decimal digits, without a sign and without zeros before it; nil for any other text.
  private static func number(_ digits: Substring.UTF8View) -> Int64? {
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1, digits.count <= 19 else {
      return nil
    }
    var value: Int64 = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (product, overflows) = value.multipliedReportingOverflow(by: 10)
      let (sum, exceeds) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !overflows, !exceeds else { return nil }
      value = sum
    }
    return value
  }

  /// The text of `changed_by`.
  package var text: String { "\(deviceID):\(revision)" }
}
