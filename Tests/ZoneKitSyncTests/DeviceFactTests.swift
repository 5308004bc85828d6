import Testing
import ZoneKitRecords
import ZoneKitSync

@Suite struct DeviceFactTests {
  private let record = RecordID(recordName: "n", zoneID: ZoneID(zoneName: "Log"))

  @Test func aRecordFactNamesZoneAndRecord() {
    let fact = Fact(DeviceFact.quarantined(record, reason: "too big"))
    #expect(
      fact
        == Fact(
          .quarantined, [JSON.Member("zone", "Log"), JSON.Member("record", "n"), JSON.Member("reason", "too big")],
          "n is kept back: too big"))
  }

  @Test func aFailedSyncSaysWhenTheNextTryIs() {
    let fact = Fact(DeviceFact.syncFailed([.push], CloudError(.zoneBusy, "busy"), retryIn: 30))
    #expect(fact.text == "sync failed: busy; next try in 30 ms")
    #expect(JSON.object(fact.members)["retryInMilliseconds"] == 30)
  }

  @Test func absentDetailsAreNull() {
    #expect(Fact(DeviceFact.tokenExpired(nil)).members == [JSON.Member("zone", .null)])
    #expect(Fact(DeviceFact.signedOut(nil)).members == [JSON.Member("error", .null)])
  }

  @Test func twoKindsThatShareAnEventAreToldApartByTheirKind() {
    let new = Fact(DeviceFact.pushReceived(notificationID: "1"))
    let old = Fact(DeviceFact.duplicatePush(notificationID: "1"))
    #expect(new.kind.event == old.kind.event)
    #expect(new.kind != old.kind)
    #expect(JSON.object(old.members)["duplicate"] == true)
  }
}
