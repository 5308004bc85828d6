import Testing
import ZoneKitRecords
import ZoneKitWire

struct AdministrationRequestTests {
  private static let zone = ZoneID(zoneName: "Notes")
  private static let deeds: [Administration] = [
    .eraseRecords(zone), .purgeZone(zone), .resetEncryptedData(zone), .loseZone(zone), .expireZoneTokens(zone),
    .expireDatabaseTokens, .purgeTombstones(zone, before: WallTime(milliseconds: 1_796_000_000_123)),
    .dropSubscription("changes"), .muteSubscription("changes"), .endPushToken("token"),
  ]

  @Test(arguments: deeds, [nil, "d1"]) func `a request reads as it is written`(
    deed: Administration, device: String?
  ) throws {
    let database = DatabaseID(container: "app", environment: .development, user: "nanny", scope: .private)
    let request = AdministrationRequest(deed, in: database, from: Caller(user: "nanny", deviceID: device))
    #expect(try AdministrationRequest(parsing: request.json.bytes()) == request)
  }
}
