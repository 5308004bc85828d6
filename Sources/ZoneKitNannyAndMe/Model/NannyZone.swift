import ZoneKitRecords

/// The app's container and zone, and an account's first profile.
package enum NannyZone {
  /// The app's container.
  package static let container: Name = "iCloud.com.example.nannyandme"
  /// The zone of the private database to which the app writes. Sharing, when it is implemented, will give each profile
  /// its own zone.
  package static let zoneID = ZoneID(zoneName: "NannyAndMe")

  /// The profile of an account that has no other. It has the same name and content on every device of the account, so
  /// that two devices that both start offline make one profile. Its stamp is the oldest possible, so any user's edit is
  /// newer.
  package static func firstProfile(of user: Name) -> Profile {
    let id = RecordID(recordName: firstProfileName(of: user), zoneID: zoneID)
    return Profile(id: id, name: "Baby", updatedAt: .oldestStamp)
  }

  /// A version 8 UUID (RFC 9562, 5.8) derived from the account's user record name. It differs between accounts, so that
  /// an export from one family to another does not merge two babies.
  private static func firstProfileName(of user: Name) -> Name {
    var digits = Array(UserRecordName.of(user: user).text.dropFirst().uppercased().utf8)
    digits[12] = UInt8(ascii: "8")
    digits[16] = UInt8(ascii: "8")
    let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return Name(groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-"))
  }

  /// The uppercase form of a UUID (RFC 9562, 4), as in the app's record names; nil if the text is not a UUID.
  package static func uuid(_ text: String) -> Name? {
    guard let uuid = UUID(text), uuid.text == text.lowercased() else { return nil }
    return Name(text.uppercased())
  }
}
