import ZoneKitRecords

extension Administration {
  /// The members of the operation. Other members of the object name the database.
  static let keys = ["do", "zone", "before", "subscription", "token"]

  /// The operation in these members, as in `{"do":"purgeZone","zone":"Notes"}`.
  init(_ members: JSONMembers) throws(MemberError) {
    switch try members.text("do") {
    case "eraseRecords": self = .eraseRecords(try Self.zone(members))
    case "purgeZone": self = .purgeZone(try Self.zone(members))
    case "resetEncryptedData": self = .resetEncryptedData(try Self.zone(members))
    case "loseZone": self = .loseZone(try Self.zone(members))
    case "expireZoneTokens": self = .expireZoneTokens(try Self.zone(members))
    case "expireDatabaseTokens": self = .expireDatabaseTokens
    case "purgeTombstones":
      // Without a time all tombstones are purged.
      self = .purgeTombstones(
        try Self.zone(members), before: try members.time("before") ?? WallTime(milliseconds: .max))
    case "dropSubscription": self = .dropSubscription(try Self.subscription(members))
    case "muteSubscription": self = .muteSubscription(try Self.subscription(members))
    case "endPushToken": self = .endPushToken(try members.required("token", "a push token"))
    default:
      throw members.wrong(
        "do",
        "must be eraseRecords, purgeZone, resetEncryptedData, loseZone, expireZoneTokens, "
          + "expireDatabaseTokens, purgeTombstones, dropSubscription, muteSubscription or endPushToken")
    }
  }

  /// The operation as members that `init` can read.
  var members: [JSON.Member] {
    func members(_ word: String, _ others: (String, String)...) -> [JSON.Member] {
      [JSON.Member("do", .string(word))] + others.map { JSON.Member($0.0, .string($0.1)) }
    }
    return switch self {
    case .eraseRecords(let zone): members("eraseRecords", ("zone", zone.zoneName.text))
    case .purgeZone(let zone): members("purgeZone", ("zone", zone.zoneName.text))
    case .resetEncryptedData(let zone): members("resetEncryptedData", ("zone", zone.zoneName.text))
    case .loseZone(let zone): members("loseZone", ("zone", zone.zoneName.text))
    case .expireZoneTokens(let zone): members("expireZoneTokens", ("zone", zone.zoneName.text))
    case .expireDatabaseTokens: members("expireDatabaseTokens")
    case .purgeTombstones(let zone, let time):
      members("purgeTombstones", ("zone", zone.zoneName.text), ("before", time.iso8601))
    case .dropSubscription(let id): members("dropSubscription", ("subscription", id))
    case .muteSubscription(let id): members("muteSubscription", ("subscription", id))
    case .endPushToken(let token): members("endPushToken", ("token", token))
    }
  }

  private static func zone(_ members: JSONMembers) throws(MemberError) -> ZoneID {
    ZoneID(zoneName: Name(try members.required("zone", "the name of a zone")))
  }

  private static func subscription(_ members: JSONMembers) throws(MemberError) -> String {
    try members.required("subscription", "the ID of a subscription")
  }
}
