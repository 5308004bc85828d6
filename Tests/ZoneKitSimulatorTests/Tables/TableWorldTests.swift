import Testing
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator

/// Devices that sync rows with a service of tables.
struct TableWorldTests {
  private func play(_ lines: String) throws -> ScenarioOutcome {
    let text = "scenario \"rows\"\napp Rows\n\(lines)\n"
    var settings = ScenarioPlayer.Settings()
    settings.keepsEvents = true
    var player = try ScenarioPlayer(Scenario(parsing: text), apps: [RowsApp.app], settings: settings)
    return player.play()
  }

  private func expectHolds(_ lines: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcome = try play(lines)
    guard case .held = outcome.end else {
      Issue.record(
        "\(outcome.end)\n\(outcome.trace.events.map { "\($0)" }.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
      return
    }
  }

  @Test func `a row that one device writes appears on the other by the channel`() throws {
    try expectHolds(
      """
      devices A, B signed in as mara
      expect A's channel is live within 5s
      expect B's channel is live within 5s
      A does put expenses 1 title Dinner
      expect B has A's last expense within 10s
      expect everyone agrees within 1m
      expect B push received at least 1
      """)
  }

  @Test func `two devices that edit a row without seeing each other end with the later edit`() throws {
    try expectHolds(
      """
      devices A, B signed in as mara
      A does put expenses 1 title Dinner
      expect everyone agrees within 1m
      A goes offline
      A does put expenses 1 title Lunch
      wait 2s
      B does put expenses 1 title Supper
      wait 10s
      A comes online
      expect everyone agrees within 1m
      expect the cloud shows title "Supper" in A's last expense
      expect A's journal holds A's last expense
      B syncs
      wait 5s
      expect B's journal holds A's last expense
      expect A verdict kept 1
      expect nobody writes for 10m
      """)
  }

  @Test func `a repeated write is recognised and makes no conflict`() throws {
    try expectHolds(
      """
      devices A, B signed in as mara
      A does put expenses 1 title Dinner
      expect everyone agrees within 1m
      count from here
      the cloud loses the answer to the next save of A
      A does put expenses 1 title Lunch
      expect everyone agrees within 2m
      expect A verdict repeat 1, verdict kept 0, conflicts 0
      """)
  }

  @Test func `a device whose session ended is signed out and keeps its edits`() throws {
    try expectHolds(
      """
      option token life 5m
      devices A, B signed in as mara
      A does put expenses 1 title Dinner
      expect everyone agrees within 1m
      the session of A ends
      wait 10m
      A does put expenses 1 title Lunch
      wait 1m
      expect the cloud shows title "Dinner" in A's last expense
      A signs in as mara
      expect everyone agrees within 1m
      expect the cloud shows title "Lunch" in A's last expense
      """)
  }

  @Test func `a sign-in without an answer is given up, and the next one succeeds`() throws {
    try expectHolds(
      """
      devices A signed in as mara
      A does put expenses 1 title Dinner
      expect everyone agrees within 1m
      A signs out
      set the link of A, up lose 100%, told of 0%
      A signs in as mara
      set the link of A
      wait 29s
      A signs in as mara
      wait 500ms
      expect A is signedOut
      wait 2s
      A signs in as mara
      expect A has A's last expense within 10s
      """)
  }

  @Test func `a device that cannot store a sign-out keeps its account and goes on`() throws {
    try expectHolds(
      """
      devices A, B signed in as mara
      A does put expenses 1 title Dinner
      expect everyone agrees within 1m
      A's disk fails the next 1 writes
      A signs in as ben
      A does put expenses 1 title Lunch
      expect everyone agrees within 1m
      expect B shows title "Lunch" in A's last expense
      """)
  }

  @Test func `a foreign client's change reaches the devices`() throws {
    try expectHolds(
      """
      devices A, B signed in as mara
      A does put expenses 1 title Dinner
      expect everyone agrees within 1m
      a foreign client sets title of A's last expense to "Lunch"
      expect B shows title "Lunch" in A's last expense within 5s
      a foreign client removes A's last expense
      expect B lacks A's last expense within 5s
      expect everyone agrees within 5s
      """)
  }
}
