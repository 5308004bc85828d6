import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSimulator
import Testing

/// Scenarios on the plain app.
struct ScenarioPlayerTests {
  static let apps = [ItemsApp.app]
  private static let head = "scenario \"s\"\napp Items\ndevices A, B signed in as nanny\n"

  static func play(_ steps: String, head: String = head, seed: UInt64? = nil) throws -> ScenarioOutcome {
    var settings = ScenarioPlayer.Settings()
    settings.seed = seed
    settings.keepsEvents = true
    var player = try ScenarioPlayer(Scenario(parsing: head + steps), apps: apps, settings: settings)
    return player.play()
  }

  /// Each needs a step that only this one shows at work.
  private static let stories = [
    "A does save i1 a x\nexpect B has record i1 within 10s\nexpect B shows a x in record i1",
    "A does save i1 a x\nexpect everyone agrees within 10s\nexpect B has A's last item\nexpect the cloud has A's 1st item",
    "A does save i1 a x\nexpect everyone agrees within 10s\nB deletes A's last item\nexpect A lacks A's last item within 10s",
    "A goes offline\nA does save i1 a x\nwait 1m\nexpect A pending 1, requests at most 20\nexpect A is offline",
    "A does save i1 a x\nexpect everyone agrees within 10s\nwait 1m\nback up A\nrestore a copy of A as C\nstart C\n"
      + "A does save i1 b y\nexpect everyone agrees within 1m\nexpect A and C have different device IDs within 5m",
    "A does save i2 a x\nwait 1m\ncount from here\ndrop the next push to B\nA does save i1 a x\nwait 10s\nexpect B lacks record i1\n"
      + "expect B push lost 1, push received 0\nB syncs\nexpect B has record i1 within 5s",
    "wait 1m\ncount from here\nthe cloud answers the next 2 requests of B with serviceUnavailable retry after 30s\n"
      + "B does save i1 a x\nexpect everyone agrees within 5m\nexpect no two requests of B closer than 1ms",
    "kill A before its 1st pageMerged\nB does save i1 a x\nwait 10s\nexpect A is dead\nstart A\nexpect everyone agrees within 1m",
    "A does save i1 a x\nexpect everyone agrees within 1m\ncount from here\nexpire the tokens of B\nB syncs\n"
      + "expect B reports tokenExpired within 10s\nexpect A never reports tokenExpired\nexpect A never uses a token of mum",
    "A's clock stands at 2027-01-15T09:00:00Z\nA does save i1 a x\nwait 10s\nA's clock is right\n"
      + "expect B shows updatedAt \"2027-01-15T09:00:00.000Z\" in record i1",
    "A's disk takes 1m to write\nA goes offline\nA does save i1 a x\ncut the power of A\nstart A\nexpect A lacks record i1",
    "A does save i1 a x\nexpect convergence within 1m\nset the link of A, up lose 100%, told of 100%\nA does save i1 a y\n"
      + "wait 30s\nexpect B shows a x in record i1\nrecover everything\nA comes to the foreground and syncs\n"
      + "expect convergence by pushes alone within 20s\nexpect no edit is lost\nexpect every view is current\nwait 3m\n"
      + "expect nobody asks for 10m",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\nset the link of B, push clog\nA does save i1 a y\nwait 10s\n"
      + "expect B shows a x in record i1\nset the link of B\nexpect B shows a y in record i1 within 5s",
    "wait 1m\nkill the cloud for 5s\nexpect the cloud is dead\nwait 5s\nexpect the cloud is running\nkill A for 1s\n"
      + "expect A is dead\nwait 2s\nexpect A is running",
    "wait 1m\nkill A before its 1st step and start it again\nA syncs\nexpect A is dead\nwait 3s\nexpect A is running\n"
      + "kill the cloud before its 1st turn and start it again\nA syncs\nwait 1s\nexpect the cloud is dead\nwait 3s\n"
      + "expect the cloud is running\nexpect convergence within 5m",
    "wait 1m\nA goes offline\nA's disk buffers its writes\nA does save i1 a x\nA's disk syncs\nA does save i2 a x\n"
      + "cut the power of A\nstart A\nexpect A lacks record i2\nexpect A has record i1\nA's disk writes through\n"
      + "A does save i3 a x\ncut the power of A\nstart A\nexpect A has record i3",
    "wait 1m\nA goes offline\nA's disk buffers its writes\nA does save i1 a x\nA does save i2 a x\n"
      + "cut the power of A keeping 50% of its unsynced commits\nstart A\nexpect A has record i1\nexpect A lacks record i2",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\nA goes offline\nA does save i2 a x\nrestore a copy of A to B\n"
      + "expect B has record i2\nexpect B is running",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\nthe cloud's disk is full\nA does save i2 a x\nwait 5s\n"
      + "expect the cloud lacks record i2\nthe cloud's disk has room\nexpect everyone agrees within 2m",
    "A does save i1 a x\nexpect convergence within 1m\ndelete zone Items of account nanny\ncreate zone Items of account nanny\n"
      + "expect B reports zoneLost at most 1 times\nexpect convergence within 10m",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\nreset zone Items of account nanny\n"
      + "expect B lacks record i1 within 10s\nexpect A lacks record i1 within 10s",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\ncount from here\nexpire all tokens of zone Items of account nanny\n"
      + "expire all database tokens of A\nB syncs\nexpect B reports tokenExpired within 10s\nexpect convergence within 1m",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\ncount from here\n"
      + "the cloud answers the next save with serviceUnavailable retry after 30s after 1 other\nA does save i1 a y\n"
      + "expect everyone agrees within 5s\nexpect A never reports syncFailed\nA does save i1 a z\n"
      + "expect A reports syncFailed within 5s\nexpect everyone agrees within 2m",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\nthe cloud refuses each item of the next save in zone Items with "
      + "zoneBusy\nA does save i1 a y\nwait 1s\nexpect the cloud shows a x in record i1\nexpect everyone agrees within 5m",
    "A does save i1 a x\nexpect convergence within 1m\nwait 1m\nthe cloud shows commits 20s late to the next 2 fetches of B\n"
      + "A does save i1 a y\nwait 2s\nexpect B shows a x in record i1\nexpect everyone agrees within 2m",
    "wait 1m\nA's disk fails the next write after keeping it\nB does save i1 a x\nexpect A reports storeFailed within 5s\n"
      + "expect everyone agrees within 5m",
    "repeat 3 times every 10s\n  A does save i1 a x\nend\nwait 1s\nexpect A, B show the same\nexpect nobody writes for 1h",
  ]

  @Test(arguments: stories) func `a story holds, and does the same every time`(steps: String) throws {
    let first = try Self.play(steps)
    #expect(first.end == .held)
    #expect(first.unusedFaults == [])
    let second = try Self.play(steps)
    #expect(first.trace.lines == second.trace.lines)
    #expect(first.digest == second.digest)
  }

  @Test func `another seed makes another trace`() throws {
    #expect(try Self.play(Self.stories[0]).digest != Self.play(Self.stories[0], seed: 2).digest)
    let head = "scenario \"s\"\napp Items\noption seed 2\ndevices A, B signed in as nanny\n"
    #expect(try Self.play(Self.stories[0], head: head).digest == Self.play(Self.stories[0], seed: 2).digest)
  }

  @Test func `a repeated step is reported once for each of its results, with how often and until when`()
    throws
  {
    let head = "scenario \"s\"\napp Items\noption lenient on\ndevices A, B signed in as nanny\n"
    let outcome = try Self.play(
      "wait 1m\nrepeat 3 times every 10s\n  A does save i1 a x\n  kill A\nend\nrepeat 2 times\n  wait 0s\nend\n"
        + "repeat 4 times\n  drop the next push to B\nend\nexpect B lacks record i1", head: head)
    #expect(
      outcome.stepSummaries.map { "\($0.step.line) \(ScenarioOutcome.moment($0.step.at)) \($0.text)" } == [
        "5 1:00.000 wait 1m", "7 1:00.000 A does save i1 a x", "8 1:00.000 kill A (3 times until 1:20.000)",
        "7 1:10.000 A does save i1 a x (2 times until 1:20.000)", "11 1:30.000 wait 0s (2 times)",
        "14 1:30.000 drop the next push to B (4 times)", "16 1:30.000 expect B lacks record i1",
      ])
    #expect(
      outcome.stepSummaries.map(\.step.result) == [
        .done, .done, .done, .passedOver("A does not run"), .done, .done, .kept,
      ])
    #expect(outcome.steps.count == 14)
    #expect(outcome.unusedFaults == ["line 14: drop the next push to B (4 times)"])
  }

  @Test func `a failed expectation is reported with its line, what was expected and what was seen`() throws {
    let outcome = try Self.play(
      "A does save i1 a x\nexpect everyone agrees within 1m\nwait 1m\nB goes offline\nA does save i1 a y\nwait 2s\n"
        + "expect B shows a y in record i1 within 30s\nwait 1h\n")
    guard case .broken(let failure) = outcome.end else {
      Issue.record("it held")
      return
    }
    #expect(failure.description == "line 10: expect B shows a \"y\" in record i1 within 30s\n  seen: B shows a x")
    #expect(outcome.steps.last?.result == .broken(["B shows a x"]))
    #expect(
      outcome.trace.lines.last?.hasSuffix("B broken: expect B shows a \"y\" in record i1 within 30s: B shows a x")
        == true)
  }

  @Test func `disagreement names the device, the record and both versions`() throws {
    let outcome = try Self.play(
      "A does save i1 a x\nexpect everyone agrees within 1m\nB goes offline\nA does delete i1\nwait 5s\nexpect everyone agrees"
    )
    guard case .broken(let failure) = outcome.end else {
      Issue.record("it held")
      return
    }
    #expect(failure.seen.count == 1)
    #expect(
      failure.seen[0].hasPrefix("B differs from the cloud in 1 record; Items/i1: B has a x, updatedAt 2027-01-15T"))
    #expect(failure.seen[0].hasSuffix(", the cloud has nothing"))
  }

  @Test func `a broken promise names the record as everything else does`() throws {
    let outcome = try Self.play("B goes offline\nA does save i1 a x\nexpect convergence within 20s")
    let violation = try #require(outcome.violations.first)
    #expect(violation.description.hasPrefix("convergence on B: record Items/i1: B has nothing, the cloud has a x, "))
  }

  private static let impossible = [
    ("A edits A's last item a", "line 4: A edits A's last item a: A has made no item yet"),
    (
      "A does save i1 a x\nA deletes A's 2nd item",
      "line 5: A deletes A's 2nd item: A has made 1 of these so far, so there is no 2nd item"
    ),
    ("A deletes A's last action", "line 4: A deletes A's last action: the app has no action; it has item"),
    ("kill A\nA does save i1 a x", "line 5: A does save i1 a x: A does not run"),
    ("A does sing", "line 4: A does sing: sing: expected save NAME FIELD TEXT, delete NAME, under NAME PARENT"),
    ("replay the last push to B", "line 4: replay the last push to B: no push was made for it so far"),
    (
      "the cloud purges deletions older than 1s",
      "line 4: the cloud purges deletions older than 1s: the app has no tables"
    ),
    ("expect A's status reads \"Synced\"", "line 4: expect A's status reads \"Synced\": the app has no such line"),
    ("restore B from its backup", "line 4: restore B from its backup: B was not backed up"),
    (
      "purge zone nowhere of A",
      "line 4: purge zone \"nowhere\" of A: the cloud refuses: zoneNotFound, zone nowhere"
    ),
  ]

  @Test(arguments: impossible) func `a step that cannot be done names its line`(steps: String, message: String) throws {
    guard case .impossible(let error) = try Self.play(steps).end else {
      Issue.record("it was done")
      return
    }
    #expect("\(error)".hasPrefix(message), "\(error)")
  }

  @Test func `pushes to a connected device are collected for the time of a burst`() throws {
    let head = Self.head.replacing("devices", with: "option push burst 10s\ndevices")
    let steps =
      "wait 2m\ncount from here\nA does save i1 a x\nwait 8s\nexpect B push received 0\nexpect B lacks record i1\n"
      + "wait 6s\nexpect B has record i1"
    let outcome = try Self.play(steps, head: head)
    #expect(outcome.end == .held, "\(outcome.end)")
  }

  @Test func `a lenient scenario passes over what cannot be done`() throws {
    let head = "scenario \"s\"\napp Items\noption lenient on\ndevices A, B signed in as nanny\n"
    let outcome = try Self.play(
      "A deletes A's last item\nA does save i1 a x\nexpect B has record i1 within 10s\n", head: head)
    #expect(outcome.end == .held)
    #expect(outcome.steps[0].result == .passedOver("A has made no item yet"))
  }

  @Test func `an app that nobody has is named`() throws {
    #expect(throws: PlayingError.self) {
      try Self.play("wait 1s\n", head: "scenario \"s\"\napp Chess\ndevice A signed out\n")
    }
  }

  @Test func `a fault that never hits is reported`() throws {
    let outcome = try Self.play("duplicate the next push to A\nkill B before its 9th storm\nwait 10s\n")
    #expect(outcome.end == .held)
    #expect(outcome.unusedFaults == ["line 4: duplicate the next push to A", "line 5: kill B before its 9th storm"])
  }

  // MARK: Sweeps

  private static let swept: [(String, Place)] = [
    ("A does save i1 a x\nwait 10s\nB does save i1 b y\nwait 10s\nA does delete i1\nwait 10s\n", .device("A")),
    (
      "A goes offline\nA does save i1 a x\nA does save i2 a x\nB does save i1 a y\nwait 10s\nA comes online\nwait 10s\n",
      .device("A")
    ),
    ("A does save i1 a x\nwait 10s\nB does save i1 b y\nwait 10s\n", .cloud),
  ]

  @Test(arguments: swept) func `a story survives a crash at each of its steps`(steps: String, place: Place) throws {
    let scenario = try Scenario(parsing: Self.head + steps)
    let outcome = try ScenarioSweep(scenario, over: place, apps: Self.apps).run()
    #expect(outcome.points > 20)
    #expect(outcome.failures.map { "\($0.step): \($0.outcome.end)" } == [])
    #expect(try ScenarioSweep(scenario, over: place, apps: Self.apps).run().digest == outcome.digest)
  }

  @Test func `a crash in a sweep does happen, and the process comes back`() throws {
    var settings = ScenarioPlayer.Settings()
    settings.keepsEvents = true
    settings.crash = (.device("A"), 12)
    var player = try ScenarioPlayer(
      Scenario(parsing: Self.head + "A does save i1 a x\nwait 1m\n"), apps: Self.apps, settings: settings)
    let outcome = player.play()
    #expect(outcome.end == .held)
    #expect(outcome.trace.lines.count { $0.hasSuffix("A crash: dies") } == 1)
    #expect(outcome.trace.lines.count { $0.hasSuffix("A start: starts") } == 2)
  }

  // MARK: Reports

  @Test func `what was not played is no failure`() {
    let report = JUnitReport([JUnitReport.Case("s", .skipped("no <disk>"), seconds: 0.5)])
    let counts = #"tests="1" failures="0" errors="0" skipped="1" time="0.500""#
    #expect(
      report.document == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites \(counts)>
        <testsuite name="scenarios" \(counts)>
        <testcase classname="scenarios" name="s" time="0.500">
        <skipped message="no &lt;disk&gt;"/>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }

  @Test func `results are written as XML, with any text`() throws {
    let held = try Self.play("wait 1s\n", head: "scenario \"<&>\\\"\"\napp Items\ndevice A signed out\n")
    let broken = try Self.play("expect B has record \"<x>\"\n")
    let impossible = try Self.play("A does \"a & b\"\n")
    let report = JUnitReport([held, broken, impossible], seconds: [0.001, 1.25, 0])
    #expect(
      report.document == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="3" failures="1" errors="1" skipped="0" time="1.251">
        <testsuite name="scenarios" tests="3" failures="1" errors="1" skipped="0" time="1.251">
        <testcase classname="scenarios" name="&lt;&amp;&gt;&quot;" time="0.001"/>
        <testcase classname="scenarios" name="s" time="1.250">
        <failure message="line 4: expect B has record &quot;&lt;x&gt;&quot;">line 4: expect B has record &quot;&lt;x&gt;&quot;&#10;  \
        seen: B lacks &lt;x&gt;</failure>
        </testcase>
        <testcase classname="scenarios" name="s" time="0.000">
        <error message="line 4: A does &quot;a &amp; b&quot;: &quot;a &amp; b&quot;: expected save NAME FIELD TEXT, delete NAME, \
        under NAME PARENT or bind NAME TARGET"/>
        </testcase>
        </testsuite>
        </testsuites>

        """)
  }
}
