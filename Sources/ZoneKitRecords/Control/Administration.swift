/// What only an administrator can do to a database. It stands for what a user does in Settings, for the cloud's own
/// maintenance, and for accidents (sync semantics, 1.7, 2.1, 3.3). A zone that another device deletes is an ordinary request.
package enum Administration: Hashable, Sendable {
  /// All records of the zone are deleted, leaving ordinary tombstones. Answered with the zone.
  case eraseRecords(ZoneID)
  /// The user removed the app's data: the zone is gone, the database's feed lists it, and all that is asked of it is
  /// answered `userDeletedZone` until somebody creates it again. Answered with the deleted zone.
  case purgeZone(ZoneID)
  /// The keys to the data were lost: the zone is gone, the database's feed lists it with that reason, and all that is asked
  /// of it is answered `zoneNotFound` until somebody creates it again and sends what they have (sync semantics, 1.7).
  /// Answered with the deleted zone.
  case resetEncryptedData(ZoneID)
  /// The cloud lost the zone: all that is asked of it is answered `zoneNotFound`, no notice is sent, and no feed lists it.
  /// Answered with the deleted zone.
  case loseZone(ZoneID)
  /// All tokens of the zone expire; no notice is sent. Answered with the zone.
  case expireZoneTokens(ZoneID)
  /// All tokens of the database expire, not those of its zones; no notice is sent. Answered with no zones.
  case expireDatabaseTokens
  /// Tombstones made before that time, and any older ones, are removed; tokens that have not passed them expire. No
  /// notice is sent. Answered with the zone.
  case purgeTombstones(ZoneID, before: WallTime)
  /// The subscription is removed without a notice. Answered with the deleted subscription.
  case dropSubscription(String)
  /// The subscription loses `shouldSendContentAvailable`. Answered with the subscription.
  case muteSubscription(String)
  /// The push service refuses that token of the account from now on, as it does when an app was installed anew. Answered
  /// with the token.
  case endPushToken(String)
}
