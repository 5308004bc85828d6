import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

@Suite struct `the line about the syncing of a device` {
  private let now = WallTime(milliseconds: 1_800_000_000_000)

  private func line(_ facts: SyncStatus.Facts) -> [String] {
    let line = SyncStatus.Indicator(lineOf: facts, at: now)
    return [line.text, line.icon, line.tone.rawValue]
  }

  @Test func `says the first of what holds`() {
    var facts = SyncStatus.Facts()
    (facts.needsUpdate, facts.isSyncing, facts.error, facts.pending) = (true, true, "no", 3)
    facts.lastSync = now.advanced(byMilliseconds: -150_000)
    #expect(line(facts) == ["Signed out", "dash", "neutral"])
    facts.hasSession = true
    #expect(line(facts) == ["Update needed", "triangle", "negative"])
    facts.needsUpdate = false
    #expect(line(facts) == ["Syncing...", "spinner", "neutral"])
    facts.isSyncing = false
    #expect(line(facts) == ["Sync error (3 pending)", "triangle", "negative"])
    facts.isOnline = false
    #expect(line(facts) == ["3 pending, offline", "arrows", "warning"])
    (facts.isOnline, facts.error) = (true, nil)
    #expect(line(facts) == ["3 pending", "arrows", "warning"])
    facts.pending = 0
    #expect(line(facts) == ["Synced 2 min ago", "check", "positive"])
    facts.error = "no"
    #expect(line(facts) == ["Sync error", "triangle", "negative"])
    (facts.error, facts.lastSync) = (nil, nil)
    #expect(line(facts) == ["Not synced", "dash", "neutral"])
  }

  @Test func `counts what is set aside`() {
    var facts = SyncStatus.Facts()
    (facts.hasSession, facts.refused, facts.lastSync) = (true, 1, now)
    #expect(line(facts)[0] == "Synced just now, 1 refused")
    facts.lastSync = now.advanced(byMilliseconds: -7_200_000)
    #expect(line(facts)[0] == "Synced 2 h ago, 1 refused")
  }
}

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
