import Testing
import ZoneKitDeviceHost
import ZoneKitRecords

/// The end of a device: what waits is sent, and what was not sent is told.
struct DeviceEndingTests {
  private typealias Sight = DeviceEnding.Sight

  private func sight(edits: Int = 0, _ change: (inout Sight) -> Void = { _ in }) -> Sight {
    var sight = Sight()
    sight.edits = edits
    change(&sight)
    return sight
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  private func outcome(_ effects: [DeviceEnding.Effect]) -> DeviceEnding.Outcome? {
    if case .end(let outcome)? = effects.first { outcome } else { nil }
  }

  @Test func `a device that has sent everything ends at once and says nothing`() {
    var ending = DeviceEnding(linger: 5_000)
    let outcome = outcome(ending.proceed(sight(), at: at(0)))
    #expect(outcome?.text == nil && outcome?.isExpected == true)
    #expect(ending.proceed(sight(edits: 1), at: at(1)) == [], "it ends once")
  }

  @Test func `an edit in its quiet time is sent at once, and the device ends with the answer`() {
    var ending = DeviceEnding(linger: 5_000)
    let debouncing = sight(edits: 1) { ($0.isIdle, $0.isDebouncing) = (false, true) }
    #expect(ending.proceed(debouncing, at: at(0)) == [.sendNow])
    #expect(ending.nextDeadline == at(5_000))
    let syncing = sight(edits: 1) { ($0.isIdle, $0.isSyncing, $0.awaitsAnswer) = (false, true, true) }
    #expect(ending.proceed(syncing, at: at(10)) == [])
    #expect(outcome(ending.proceed(sight(), at: at(20)))?.text == nil)
  }

  @Test func `what waits for a quiet time after a sync is sent too, and a failed sync is not repeated without a pause`()
  {
    var ending = DeviceEnding(linger: 5_000)
    let syncing = sight(edits: 1) { ($0.isIdle, $0.isSyncing) = (false, true) }
    #expect(ending.proceed(syncing, at: at(0)) == [])
    let debouncing = sight(edits: 1) { ($0.isIdle, $0.isDebouncing) = (false, true) }
    #expect(ending.proceed(debouncing, at: at(1)) == [.sendNow])
    #expect(ending.proceed(debouncing, at: at(2)) == [])
    #expect(ending.proceed(syncing, at: at(3)) == [])
    #expect(ending.proceed(debouncing, at: at(4)) == [.sendNow])
    #expect(ending.proceed(syncing, at: at(5)) == [])
    #expect(ending.proceed(sight(edits: 1) { $0.error = "refused" }, at: at(6)) == [], "the coordinator's own pause")
  }

  @Test func `after the time a written request is waited for, nothing else is begun, and the rest is told`() {
    var ending = DeviceEnding(linger: 100)
    let syncing = sight(edits: 300) { ($0.isIdle, $0.isSyncing, $0.awaitsAnswer) = (false, true, true) }
    #expect(ending.proceed(syncing, at: at(0)) == [])
    #expect(ending.proceed(syncing, at: at(100)) == [.beginNothing])
    #expect(ending.proceed(syncing, at: at(9_000)) == [])
    let answered = sight(edits: 100) { ($0.isIdle, $0.isSyncing) = (false, true) }
    let outcome = outcome(ending.proceed(answered, at: at(9_001)))
    #expect(outcome?.text == "100 edits not sent: the time of --linger is over")
    #expect(outcome?.isExpected == false)
  }

  @Test func `what a command asked for is waited for as long as it is being done`() {
    var ending = DeviceEnding(linger: 100)
    let syncing = sight { ($0.isIdle, $0.isSyncing, $0.isAsked) = (false, true, true) }
    #expect(ending.proceed(syncing, at: at(0)) == [])
    #expect(ending.proceed(syncing, at: at(100)) == [])
    #expect(ending.nextDeadline == nil)
    #expect(ending.proceed(syncing, at: at(60_000)) == [])
    let done = outcome(ending.proceed(sight(), at: at(60_001)))
    #expect(done?.text == nil && done?.isExpected == true)
  }

  @Test func `what a command asked for and did not get is told, and is a failure`() {
    var ending = DeviceEnding(linger: 100)
    let failed = sight { ($0.isAsked, $0.error) = (true, "connection refused") }
    #expect(ending.proceed(failed, at: at(0)) == [])
    let outcome = outcome(ending.proceed(failed, at: at(100)))
    #expect(outcome?.text == "not synced: connection refused" && outcome?.isExpected == false)
  }

  @Test func `without a linger nothing is requested`() {
    var ending = DeviceEnding(linger: 0)
    let outcome = outcome(ending.proceed(sight(edits: 1) { $0.isDebouncing = true }, at: at(7)))
    #expect(outcome?.text == "1 edit not sent: the time of --linger is over")
  }

  @Test func `a server that does not answer is named as the reason`() {
    var ending = DeviceEnding(linger: 100)
    let failed = sight(edits: 2) { $0.error = "connection refused" }
    #expect(ending.proceed(failed, at: at(0)) == [.sendNow])
    #expect(ending.proceed(failed, at: at(50)) == [])
    let outcome = outcome(ending.proceed(failed, at: at(100)))
    #expect(outcome?.text == "2 edits not sent: connection refused")
    #expect(outcome?.isExpected == false)
  }

  @Test(arguments: [
    (DeviceEnding.Hindrance.offline, "the device is offline"), (.signedOut, "nobody is signed in"),
    (.appAway("suspended"), "the app is suspended"),
  ])
  func `a device that was told not to send ends at once, and that is no failure`(
    hindrance: DeviceEnding.Hindrance, reason: String
  ) {
    var ending = DeviceEnding(linger: 5_000)
    let outcome = outcome(
      ending.proceed(sight(edits: 1) { ($0.photos, $0.hindrance) = (2, hindrance) }, at: at(0)))
    #expect(outcome?.text == "1 edit and 2 photos not sent: \(reason)")
    #expect(outcome?.isExpected == true)
  }

  @Test(arguments: [DeviceEnding.Hindrance?.none, .offline])
  func `edits that the cloud refused are a failure, however the device ends`(hindrance: DeviceEnding.Hindrance?) {
    let refused = sight { ($0.refused, $0.refusal, $0.hindrance) = (1, "its type is unknown", hindrance) }
    var (ending, interrupted) = (DeviceEnding(linger: 5_000), DeviceEnding(linger: 5_000))
    for outcome in [outcome(ending.proceed(refused, at: at(0))), outcome(interrupted.interrupted(refused))] {
      #expect(outcome?.text == "1 edit was refused: its type is unknown")
      #expect(outcome?.isExpected == false)
    }
    var both = DeviceEnding(linger: 5_000)
    let offline = sight(edits: 1) { ($0.refused, $0.refusal, $0.hindrance) = (2, "no", .offline) }
    #expect(
      outcome(both.proceed(offline, at: at(0)))?.text
        == "1 edit not sent: the device is offline; 2 edits were refused: no")
  }

  @Test func `where no server has run, one may still start, and unsent edits are no failure`() {
    var ending = DeviceEnding(linger: 100)
    let alone = sight(edits: 1) { ($0.hindrance, $0.error) = (.noServer, "connection refused") }
    #expect(ending.proceed(alone, at: at(0)) == [.sendNow])
    let outcome = outcome(ending.proceed(alone, at: at(100)))
    #expect(outcome?.text == "1 edit not sent: no server runs here; zonekit serve starts one")
    #expect(outcome?.isExpected == true)
  }

  @Test func `a cloud that refuses the account is asked once more`() {
    var ending = DeviceEnding(linger: 5_000)
    let refused = sight(edits: 1) { ($0.isRefused, $0.error) = (true, "signed out") }
    #expect(ending.proceed(refused, at: at(0)) == [.sendNow])
    #expect(outcome(ending.proceed(refused, at: at(1)))?.text == "1 edit not sent: signed out")
  }

  @Test func `a second signal ends the device at once, also during a request`() {
    var ending = DeviceEnding(linger: 5_000)
    let syncing = sight(edits: 1) { ($0.isIdle, $0.isSyncing, $0.awaitsAnswer) = (false, true, true) }
    #expect(ending.proceed(syncing, at: at(0)) == [])
    let outcome = outcome(ending.interrupted(syncing))
    #expect(outcome?.text == "1 edit not sent: interrupted")
    #expect(outcome?.isExpected == false)
    #expect(ending.interrupted(syncing) == [])
  }
}
