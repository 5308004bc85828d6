import ZoneKitRecords

/// Where the app keeps its records, and what its first profile is.
package enum NannyZone {
  /// The app's container.
  package static let container: Name = "iCloud.com.example.nannyandme"
  /// The zone of the private database that the app writes to until sharing gives each profile its own.
  package static let zoneID = ZoneID(zoneName: "NannyAndMe")

  /// The profile that an account gets when it has none: the same name and content on every device of the account, so
  /// that two devices that each begin offline have made one profile, not two. Its stamp is the oldest there is:
  /// every edit of a person beats it.
  package static func firstProfile(of user: Name) -> Profile {
    let id = RecordID(recordName: firstProfileName(of: user), zoneID: zoneID)
    return Profile(id: id, name: "Baby", updatedAt: .oldestStamp)
  }

  /// A version 8 UUID (RFC 9562, 5.8) from the account's user record name. It differs between accounts, so that an export
  /// from one family to another does not merge two babies.
  private static func firstProfileName(of user: Name) -> Name {
    var digits = Array(UserRecordName.of(user: user).text.dropFirst().uppercased().utf8)
    digits[12] = UInt8(ascii: "8")
    digits[16] = UInt8(ascii: "8")
    let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return Name(groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-"))
  }

  /// The upper-case form of a UUID (RFC 9562, 4), the app's record names; nil where the text is none.
  package static func uuid(_ text: String) -> Name? {
    let upper = Array(text.uppercased().utf8)
    guard upper.count == 36 else { return nil }
    for (index, byte) in upper.enumerated() {
      let isDash = [8, 13, 18, 23].contains(index)
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      let letters = UInt8(ascii: "A")...UInt8(ascii: "F")
      guard isDash ? byte == UInt8(ascii: "-") : digits.contains(byte) || letters.contains(byte) else { return nil }
    }
    return Name(String(decoding: upper, as: UTF8.self))
  }
}
