/// An operation that only an administrator can perform on a database. It stands for a user's action in Settings, for
/// the cloud's own maintenance, or for a failure (sync semantics, 1.7, 2.1, 3.3). To delete a zone as another device
/// does, use an ordinary request.
package enum Administration: Hashable, Sendable {
  /// Deletes all records of the zone, leaving ordinary tombstones. Answered with the zone.
  case eraseRecords(ZoneID)
  /// Removes the zone as when the user removes the app's data: the database's feed lists it, and requests for it fail
  /// with `userDeletedZone` until it is created again. Answered with the deleted zone.
  case purgeZone(ZoneID)
  /// Removes the zone as when the keys of its data were lost: the database's feed lists it with that reason, and
  /// requests for it fail with `zoneNotFound` until a device creates it again and uploads its records (sync semantics,
  /// 1.7). Answered with the deleted zone.
  case resetEncryptedData(ZoneID)
  /// Loses the zone: requests for it fail with `zoneNotFound`, no notice is sent, and no feed lists it. Answered with
  /// the deleted zone.
  case loseZone(ZoneID)
  /// Expires all tokens of the zone, without a notice. Answered with the zone.
  case expireZoneTokens(ZoneID)
  /// Expires all tokens of the database, but not those of its zones, without a notice. Answered with no zones.
  case expireDatabaseTokens
  /// Removes the tombstones made before that time. Tokens that are not past them expire. No notice is sent. Answered
  /// with the zone.
  case purgeTombstones(ZoneID, before: WallTime)
  /// Removes the subscription without a notice. Answered with the deleted subscription.
  case dropSubscription(String)
  /// Removes `shouldSendContentAvailable` from the subscription. Answered with the subscription.
  case muteSubscription(String)
  /// Makes the push service refuse that token of the account from now on, as after the app was installed again.
  /// Answered with the token.
  case endPushToken(String)

  /// The zone on which the operation acts; nil if it acts on no single zone.
  package var zoneID: ZoneID? {
    switch self {
    case .eraseRecords(let zone), .purgeZone(let zone), .resetEncryptedData(let zone), .loseZone(let zone),
      .expireZoneTokens(let zone), .purgeTombstones(let zone, before: _):
      zone
    case .expireDatabaseTokens, .dropSubscription, .muteSubscription, .endPushToken: nil
    }
  }
}
