import Testing
import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitWire

@testable import ZoneKitService

/// The cloud as a service over a store in memory: no file, no socket, no protocol.
@Suite struct ZoneServiceTests {
  /// A service whose clock the test sets, and what it answered.
  private final class Trial {
    let service: ZoneService<MemoryZoneStore, MemoryAccountStore>
    let journal: ServerJournal
    let push: PushService
    private let loop: Loop
    private let clock = Clock()
    /// What was answered, in order, each as `NAME: STATUS`; a status of nil stands for no answer.
    private(set) var answers: [String] = []

    private final class Clock {
      var milliseconds: Int64 = 1_000
      var now: Moment {
        Moment(
          wall: WallTime(milliseconds: milliseconds), monotonic: MonotonicTime(milliseconds: milliseconds))
      }
    }

    init(_ mode: Authentication.Mode = .open, policy: PushGateway.Policy = PushGateway.Policy(isOpen: true)) throws {
      let clock = clock
      loop = try Loop()
      let journal = ServerJournal(version: "test") { clock.now.wall }
      self.journal = journal
      service = ZoneService(
        store: MemoryZoneStore(), authentication: Authentication(mode: mode, .libcrypto),
        faults: FaultControl(isOpen: true, limits: Limits()), policy: policy, journal: journal
      ) { clock.now }
      push = PushService(of: service, clock: SystemClock(loop: loop), loop: loop) { journal.record($0) }
    }

    func pass(milliseconds: Int64) { clock.milliseconds += milliseconds }

    /// Takes a call in; its reply is the name with the outcome, so that the order of replies shows.
    func receive(
      _ request: CloudRequest, as name: String,
      _ credentials: Call.Credentials = .caller(Caller(user: "nanny", deviceID: "A"))
    ) {
      let call = Call(
        request, container: "c", environment: .development, scope: .private, credentials: credentials
      ) { outcome in HTTPReply(text: Self.text(outcome)) }
      service.receive(call) { [unowned self] reply in
        answers.append("\(name): \(reply.map { String(decoding: $0.body, as: UTF8.self) } ?? "no answer")")
      }
    }

    private static func text(_ outcome: Call.Outcome) -> String {
      switch outcome {
      case .answered(.failure(let error), _): error.code.rawValue
      case .answered(let response, let caller): "\(words(response)) for \(caller.user)"
      case .refused(let error): "refused, \(error.code.rawValue)"
      }
    }

    private static func words(_ response: CloudResponse) -> String {
      switch response {
      case .zones(let zones): "\(zones.count) zones"
      case .records(let records): records.map(word).joined(separator: ", ")
      default: "other"
      }
    }

    private static func word(_ result: RecordResult) -> String {
      switch result {
      case .record: "a record"
      case .kept: "a kept record"
      case .deleted: "a deletion"
      case .failed(_, let error): error.code.rawValue
      }
    }

    func end() { loop.closeAll() }
  }

  private let notes = ZoneID(zoneName: "Notes")

  private func save(_ name: Name) -> CloudRequest {
    .modifyRecords(
      ModifyRecords(
        zoneID: notes, operations: [RecordOperation(.create, recordName: name, recordType: "Note")], isAtomic: false))
  }

  @Test func `calls are answered at the end of the turn, in order`() throws {
    let trial = try Trial()
    trial.receive(.modifyZones([.create(notes)]), as: "zone")
    trial.receive(.listZones, as: "list")
    #expect(trial.answers.isEmpty)
    trial.service.endTurn()
    #expect(trial.answers == ["zone: 1 zones for nanny", "list: 2 zones for nanny"])
    #expect(trial.service.requests == 2)
    #expect(trial.journal.commits == 1)
    trial.end()
  }

  @Test func `tokens name the caller`() throws {
    let trial = try Trial()
    trial.receive(.listZones, as: "none", .web(WebCredentials()))
    trial.receive(.listZones, as: "nobody", .web(WebCredentials(apiToken: "t")))
    #expect(trial.answers == ["none: refused, authenticationFailed", "nobody: refused, notAuthenticated"])
    trial.receive(.listZones, as: "known", .web(WebCredentials(apiToken: "t", webAuthToken: "user:a")))
    trial.service.endTurn()
    #expect(trial.answers.last == "known: 1 zones for a")
    #expect(trial.service.requests == 1)
    trial.end()
  }

  @Test func `a strict server without registered tokens admits nobody`() throws {
    let trial = try Trial(.strict)
    let token = CloudKitAdapter.testToken
    trial.receive(.listZones, as: "all", .web(WebCredentials(apiToken: token, webAuthToken: "user:a")))
    #expect(trial.answers == ["all: refused, authenticationFailed"])
    trial.end()
  }

  private func plan(_ trial: Trial, _ fault: JSON) throws {
    try trial.service.setFaultPlan(FaultDocument(["faults": [fault]]))
  }

  @Test func `a fault refuses a call or takes its answer away`() throws {
    let trial = try Trial()
    try plan(trial, ["do": "refuse", "error": "zoneBusy", "times": 1])
    trial.receive(.modifyZones([.create(notes)]), as: "refused")
    trial.service.endTurn()
    try plan(trial, ["do": "loseAnswer", "times": 1])
    trial.receive(.modifyZones([.create(notes)]), as: "lost")
    trial.service.endTurn()
    try plan(trial, ["do": "loseRequest", "times": 1])
    trial.receive(save("a"), as: "unheard")
    trial.receive(.listZones, as: "list")
    trial.service.endTurn()
    #expect(
      trial.answers == ["refused: zoneBusy", "lost: no answer", "unheard: no answer", "list: 2 zones for nanny"])
    trial.end()
  }

  @Test func `of a call that is done twice the second answer counts`() throws {
    let trial = try Trial()
    trial.receive(.modifyZones([.create(notes)]), as: "zone")
    trial.service.endTurn()
    try plan(trial, ["do": "repeatRequest", "times": 1])
    trial.receive(save("a"), as: "twice")
    trial.receive(.lookupRecords(zoneID: notes, recordNames: ["a"]), as: "look")
    trial.service.endTurn()
    #expect(
      trial.answers.dropFirst() == ["twice: serverRecordChanged for nanny", "look: a record for nanny"])
    trial.end()
  }

  @Test func `a delayed answer comes when its time has come and not before`() throws {
    let trial = try Trial()
    try plan(trial, ["do": "delayAnswer", "milliseconds": 50, "times": 1])
    trial.receive(.listZones, as: "late")
    trial.receive(.listZones, as: "prompt")
    trial.service.endTurn()
    #expect(trial.answers == ["prompt: 1 zones for nanny"])
    #expect(trial.service.nextDelayedAnswer == 1_050)
    trial.pass(milliseconds: 49)
    trial.service.answerDelayed()
    #expect(trial.answers.count == 1)
    trial.pass(milliseconds: 1)
    trial.service.answerDelayed()
    #expect(trial.answers == ["prompt: 1 zones for nanny", "late: 1 zones for nanny"])
    #expect(trial.service.nextDelayedAnswer == nil)
    trial.end()
  }

  @Test func `delayed answers come by time, and at one time in the order of their calls`() {
    var delayed = DelayedReplies()
    var given: [Int] = []
    for (number, due) in [(1, 30), (2, 10), (3, 30), (4, 40)] as [(Int, Int64)] {
      delayed.add(due: due) { given.append(number) }
    }
    #expect(delayed.nextDue == 10)
    for deliver in delayed.take(at: 30) { deliver() }
    #expect(given == [2, 1, 3])
    #expect(delayed.nextDue == 40)
  }

  @Test func `clearing the plan sets the limits back`() throws {
    let trial = try Trial()
    try trial.service.setFaultPlan(FaultDocument(["faults": [], "limits": ["visibleDelay": 70]]))
    #expect(trial.service.faultPlan()["limits"]?["visibleDelay"] == 70)
    #expect(throws: MemberError.self) {
      try trial.service.setFaultPlan(FaultDocument(["faults": [], "limits": ["visibleDelay": "long"]]))
    }
    #expect(trial.service.faultPlan()["limits"]?["visibleDelay"] == 70)
    trial.service.clearFaultPlan()
    #expect(trial.service.faultPlan()["limits"]?["visibleDelay"] == 0)
    trial.end()
  }

  @Test func `an administrator's deed is answered with its turn`() throws {
    let trial = try Trial()
    trial.receive(.modifyZones([.create(notes)]), as: "zone")
    var answers: [CloudResponse] = []
    trial.service.administer(
      try AdministrationRequest(
        parsing: Array(#"{"do":"purgeZone","zone":"Notes","user":"nanny","container":"c"}"#.utf8))
    ) { answers.append($0) }
    #expect(answers.isEmpty)
    trial.service.endTurn()
    #expect(answers.count == 1)
    trial.receive(.listZones, as: "list")
    trial.service.endTurn()
    #expect(trial.answers.last == "list: 1 zones for nanny")
    trial.end()
  }

  @Test func `a token that ended because of a newer one is not kept in the store`() throws {
    let trial = try Trial(policy: PushGateway.Policy(retiresReplacedTokens: true))
    for token in ["t-2", "t-1"] {
      trial.receive(
        .registerPushToken(PushRegistration(token: token, environment: .development, deviceID: "A")), as: token)
      trial.service.endTurn()
    }
    let kept = try trial.service.databaseStatuses().flatMap { $0.state.registrations.map(\.token) }
    #expect(kept == ["t-1"])
    #expect(trial.push.gateway.counters.registrations == 1)
    trial.end()
  }

  @Test func `facts of the cloud and of the push service come in one order`() throws {
    let trial = try Trial()
    trial.receive(
      .registerPushToken(PushRegistration(token: "t", environment: .development, deviceID: "A")), as: "token")
    trial.receive(.modifyZones([.create(notes)]), as: "zone")
    trial.service.endTurn()
    let kinds = trial.journal.read(after: 0).entries.map(\.payload.fact.kind)
    #expect(kinds == [.tokenRegistered, .committed])
    trial.end()
  }
}
