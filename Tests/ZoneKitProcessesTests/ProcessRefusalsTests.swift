import Testing
import ZoneKitDeviceHost
import ZoneKitDietLog
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator
import ZoneKitSwissCoin

@testable import ZoneKitProcesses

/// What processes cannot play is found without starting any.
struct ProcessRefusalsTests {
  private static func failure(
    _ steps: String, head: String = "", app: DeviceApp = ItemsApp.app, cutsWaits: Bool = false
  ) throws -> ProcessFailure? {
    let text = "scenario \"s\"\n\(head)devices A, B signed in as nanny\n\(steps)\n"
    let scenario = try Scenario(parsing: text)
    do throws(ProcessFailure) {
      try ProcessRefusals(app: app, others: [.swissCoin, .dietLog], cutsWaits: cutsWaits).check(scenario)
      _ = try ProcessSettings(scenario.options)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "wait 3m", "A saves record x", "A syncs inside its next merge", "lose 30% on the link of A",
    "repeat 30% on the link of A", "reorder the link of A", "set the link of A, up cut", "the gateway restarts",
    "recover everything",
    "kill A after its 2nd commit", "kill the cloud before its 1st commit and start it again", "cut the power of A",
    "the account of A is unavailable", "A's disk is full", "the cloud's disk is full", "expect no edit is lost",
    "expect convergence", "expect every view is current", "expect nothing is left over", "expect nobody asks for 1s",
    "expect B push lost 1", "expect B reports syncRequested",
  ]) func `a step that only virtual time has is refused with its line`(step: String) throws {
    let failure = try #require(try Self.failure("note \"one\"\n" + step))
    #expect(failure.kind == .virtualOnly)
    #expect(failure.step == ProcessFailure.Step(line: 4, text: step))
    #expect(failure.description.hasPrefix("line 4: \(step): "))
    #expect(failure.description.hasSuffix("this can only be had in virtual time, leave --processes out"))
  }

  @Test func `a step inside a repetition is refused with its own line`() throws {
    let failure = try Self.failure("repeat 2 times\n  wait 1s\n  A's disk is full\nend")
    #expect(failure?.step?.line == 5)
  }

  @Test func `a long wait is refused unless waits are cut`() throws {
    #expect(try Self.failure("wait 2m") == nil)
    #expect(try Self.failure("wait 2m1s")?.kind == .virtualOnly)
    #expect(try Self.failure("wait 2m1s", cutsWaits: true) == nil)
    #expect(try Self.failure("repeat 2 times every 5m\n  A syncs\nend")?.step?.line == 3)
    #expect(try Self.failure("repeat 1 times every 5m\n  A syncs\nend") == nil)
  }

  @Test(arguments: [
    ("replay the last push to B", "no push tokens"), ("the push token of B dies", "no push tokens"),
    ("expect the cloud holds 1 subscriptions of A", "no subscriptions"),
    ("expect B push received 1", "does not print the events"),
  ]) func `a step about pushes is refused to an app with tables`(step: String, reason: String) throws {
    let refused = try #require(try Self.failure(step, app: .swissCoin))
    #expect((refused.kind, refused.step?.line) == (.virtualOnly, 3))
    #expect(refused.message.contains(reason))
  }

  @Test(arguments: [
    "A signs up as cleo", "the session of A ends", "A gives A's last person photo 1", "expect A's channel is live",
    "expect A's balance of Ben is \"1.00\"", "a foreign client removes A's last person",
  ]) func `a step about tables is refused to an app without them`(step: String) throws {
    #expect(try Self.failure(step)?.message.hasPrefix("Items has no tables") == true)
    #expect(try Self.failure(step, app: .swissCoin) == nil)
  }

  @Test(arguments: ["drop the next push to B", "delay the next push to B by 2s", "cut the push link of B"])
  func `faults of single events are played to an app with tables`(step: String) throws {
    #expect(try Self.failure(step, app: .swissCoin) == nil)
  }

  @Test(arguments: ["a plain client reads A's last log", "expect the last push of the plain client ended as applied"])
  func `a plain client is refused to an app without documents`(step: String) throws {
    #expect(try Self.failure(step)?.message.contains("Items has no documents") == true)
    #expect(try Self.failure(step, app: .dietLog) == nil)
  }

  @Test func `a step is played if it is possible for one of the apps`() throws {
    let head = "devices C of app SwissCoin signed in as cleo\n"
    #expect(try Self.failure("expect A's channel is live", head: head) == nil)
    #expect(try Self.failure("expect A's channel is live")?.kind == .virtualOnly)
    #expect(try Self.failure("A's disk is full", head: head)?.kind == .virtualOnly)
  }

  @Test func `an app that is not there is refused`() throws {
    let head = "devices C of app Nothing signed in as cleo\n"
    #expect(try Self.failure("A syncs", head: head)?.message == "there is no app Nothing")
  }

  @Test func `another app than the one that the devices run is refused`() throws {
    #expect(try Self.failure("A syncs", head: "app NannyAndMe\n")?.kind == .virtualOnly)
    #expect(try Self.failure("A syncs", head: "app Items\n") == nil)
  }

  @Test(arguments: ["seed 7", "push budget 3", "visible delay 3s", "slot policy oldest", "lenient on", "wire direct"])
  func `an option that processes do not have is refused`(option: String) throws {
    let failure = try Self.failure("A syncs", head: "option \(option)\n")
    #expect(failure?.kind == .virtualOnly)
    #expect(failure?.message.hasPrefix("option \(option): ") == true)
  }

  @Test func `options become settings of devices, of the server and of the cloud`() throws {
    let options: [ScenarioOption] = [
      .count(.pageLimit, 3), .span(.fallback, TimeSpan(milliseconds: 5_000)), .choice(.atomic, "off"),
      .count(.originLeak, 100), .span(.indexDelay, TimeSpan(milliseconds: 2_000)),
      .choice(.duplicateSubscription, "accept"), .choice(.firstFetchDeletions, "own"),
      .span(.tokenLife, TimeSpan(milliseconds: 300_000)), .choice(.pushes, "off"), .choice(.wire, "rest"),
    ]
    let settings = try ProcessSettings(options)
    #expect(settings.tuning == ["pageLimit=3", "fallback=5000", "atomic=0"])
    #expect(settings.serverOptions == ["--origin-leak=100", "--token-life=300"])
    #expect(settings.deviceOptions == ["--no-push"])
    var limits = Limits()
    limits.subscriptionIndexDelay = 2_000
    limits.firstFetchTombstones = .ownCreated
    #expect(settings.limits == limits)
  }

  @Test(
    arguments: [
      ("accept", nil), ("reject", .serverRejectedRequest), ("internalError", .internalError),
    ] as [(String, CloudErrorCode?)])
  func `a second subscription is refused by processes as in virtual time`(choice: String, code: CloudErrorCode?) throws
  {
    let settings = try ProcessSettings([.choice(.duplicateSubscription, choice)])
    #expect(settings.limits.duplicateSubscriptionError == code)
  }
}
