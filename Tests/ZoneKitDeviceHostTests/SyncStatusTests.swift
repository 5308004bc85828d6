import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

@Suite struct `the status of a device` {
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  /// All that can hold at once.
  private var everything: SyncStatus.Facts {
    var facts = SyncStatus.Facts()
    facts.migrationStep = "Uploading splits... 50%"
    facts.isSyncing = true
    facts.hasAccount = true
    facts.signedOutReason = "the password was changed"
    facts.error = "persons: no"
    facts.isOnline = false
    facts.pending = 3
    facts.lastSync = now.advanced(byMilliseconds: -300_000)
    return facts
  }

  private func status(_ facts: SyncStatus.Facts) -> (SyncStatus.State, SyncStatus.Indicator?) {
    let status = SyncStatus(facts, at: now)
    return (status.state, status.indicator)
  }

  @Test func `is the first state of the list that holds`() {
    var facts = everything
    #expect(
      status(facts) == (.migrating, SyncStatus.Indicator("icloud.and.arrow.up", .accent, "Uploading splits... 50%")))
    facts.migrationStep = nil
    #expect(status(facts) == (.syncing, SyncStatus.Indicator("spinner", .neutral, "Syncing...")))
    facts.isSyncing = false
    #expect(
      status(facts)
        == (
          .signedOut, SyncStatus.Indicator("icloud.slash", .warning, "Not signed in: the password was changed")
        ))
    facts.hasSession = true
    #expect(
      status(facts) == (.error, SyncStatus.Indicator("exclamationmark.icloud", .negative, "persons: no · 3 pending")))
    facts.error = nil
    #expect(status(facts) == (.offline, SyncStatus.Indicator("icloud.slash", .warning, "Offline · 3 pending")))
    facts.isOnline = true
    #expect(status(facts) == (.idle, SyncStatus.Indicator("arrow.triangle.2.circlepath", .warning, "3 pending")))
    facts.pending = 0
    #expect(status(facts) == (.idle, SyncStatus.Indicator("checkmark.icloud", .positive, "Last synced 5 minutes ago")))
    facts.lastSync = nil
    #expect(status(facts) == (.idle, nil))
  }

  @Test func `names no pending rows where there are none, and no reason that is not known`() {
    var facts = SyncStatus.Facts()
    facts.isOnline = false
    #expect(status(facts).1?.text == "Offline")
    facts.hasAccount = true
    #expect(status(facts).1?.text == "Not signed in")
  }

  @Test func `of a device that nobody has signed in to is not signed out`() {
    #expect(status(SyncStatus.Facts()) == (.idle, nil))
  }

  @Test(
    arguments: [
      (-1, "just now"), (59_999, "just now"), (60_000, "1 minute ago"), (7_199_999, "1 hour ago"),
      (172_800_000, "2 days ago"),
    ] as [(Int64, String)])
  func `says how long ago the last sync was`(milliseconds: Int64, text: String) {
    var facts = SyncStatus.Facts()
    facts.lastSync = now.advanced(byMilliseconds: -milliseconds)
    #expect(status(facts).1?.text == "Last synced \(text)")
  }
}
