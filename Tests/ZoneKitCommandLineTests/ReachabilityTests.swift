import Testing
import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSimulator

@testable import ZoneKitCommandLine

/// A scenario can say and a seed can draw every fault that a server takes.
@Suite struct `every fault that a server knows` {
  @Test func `is said by a sentence of scenarios`() throws {
    var said: Set<Effect> = []
    for app in AppTable.all {
      for line in Self.lines { said.formUnion(Effect.effects(of: try Self.step(line), in: app)) }
    }
    #expect(Self.missing(in: said) == Self.unsaid)
  }

  @Test func `is drawn by a seed`() {
    var drawn: Set<Effect> = []
    for app in AppTable.all {
      var swarm = Swarm(apps: [app])
      swarm.minutes = 2
      for seed in 1...Self.seeds {
        for step in swarm.story(seed: seed).steps { drawn.formUnion(Effect.effects(of: step, in: app)) }
      }
    }
    #expect(Self.missing(in: drawn) == Self.undrawn)
  }

  /// The most seeds of each app that may be needed.
  private static let seeds: UInt64 = 400

  /// The effects that are not in the set, by action.
  private static func missing(in reached: Set<Effect>) -> [FaultVerb: [String]] {
    let missing = Set(Effect.all).subtracting(reached)
    return Dictionary(grouping: missing, by: \.verb).mapValues { $0.map(\.kind.word).sorted() }
  }

  private static func step(_ line: String) throws -> ScenarioStep {
    let scenario = try Scenario(parsing: "scenario \"s\"\ndevices A signed in as nanny\n\(line)\n")
    return try #require(scenario.steps.first?.step)
  }

  // MARK: The sentences

  /// Sentences about faults, those about kinds of requests with each kind.
  private static let lines =
    ofRequests.flatMap { line in
      CloudOperation.allCases.map { line.replacing("%", with: $0.rawValue) }
    } + others + pushes

  private static let ofRequests = [
    "the cloud answers every % with zoneBusy", "the cloud refuses each item of every % with zoneBusy",
    "the cloud loses every %", "the cloud loses the answer to every %", "the cloud delays the answer to every % by 5s",
    "the cloud does every % twice", "the cloud shows commits 3s late to every %",
    "the cloud repeats the token of every %", "the cloud lists each record twice in every %",
  ]

  private static let others = [
    "the cloud forgets the next subscription save", "the cloud mutes the next subscription save",
    "the cloud lists zone Ghost as changed", "the cloud leaves out record x in every fetch",
    "the cloud leaves the next join unanswered", "the cloud refuses the next join",
    "the cloud sends no events for 30s after the next join", "the cloud leaves the next heartbeat unanswered",
    "the cloud refuses the next socket", "the cloud cuts the socket at the next join",
    "the cloud cuts the socket at the next heartbeat", "the cloud cuts the socket at the next event",
    "the cloud takes the token of the next request for ended", "the cloud ends the session at the next refresh",
    "the cloud judges the token of the next request by a clock 2h ahead",
    "the cloud refuses the next write with code 53100", "the cloud limits the stamps of the next write 2h earlier",
    "the cloud refuses the next sign-in", "the cloud refuses the next sign-up", "the cloud refuses the next refresh",
    "the cloud refuses the next sign-out", "the cloud refuses the next call",
  ]

  private static let pushes = [
    "drop the next push to A", "duplicate the next push to A", "reorder the next push to A",
    "delay the next push to A by 5s", "prune the next push to A", "deliver the next push to A without an ID",
    "deliver the next push to A for another subscription",
  ]

  // MARK: The exceptions

  /// What no sentence says, and why.
  private static let unsaid: [FaultVerb: [String]] = [
    // `refuse` refuses these requests.
    .reject: [
      "deleteRows", "getObject", "insertRows", "putObject", "readRows", "readUser", "removeObjects", "updateRows",
      "upsertRows",
    ],
    .rejectItems: ["getObject"],
    // The sentence is about fetches.
    .omitRows: ["deleteRows", "insertRows", "updateRows", "upsertRows"],
    // The sentences name the part of the request that saves.
    .forgetSubscriptions: ["modifySubscriptions"],
    .muteSubscriptions: ["modifySubscriptions"],
    // `skewTokens` ends the tokens of these requests.
    .expireTokens: ["callFunction", "joinChannel", "readUser", "signOut"],
  ]

  /// What no seed draws, and why.
  private static let undrawn = unsaid.merging([
    // A device cannot notice what a feed left out, so its story would not converge.
    .omitRecords: ["fetchZoneChanges"],
    .omitRows: ["deleteRows", "insertRows", "readRows", "updateRows", "upsertRows"],
    // Stories refuse items of saves, feeds and lookups. Other requests they refuse as a whole.
    .refuseItems: [
      "acceptShares", "callFunction", "createPushToken", "createUploads", "createZones", "deleteRecords", "deleteRows",
      "deleteSubscriptions", "deleteZones", "fetchDatabaseChanges", "fetchUsers", "listSubscriptions", "listZones",
      "lookupSubscriptions",
      "lookupZones", "modifyRecords", "modifySubscriptions", "modifyZones", "openSocket", "queryRecords", "readUser",
      "refreshSession", "registerPushToken", "removeObjects", "rereferenceAssets", "resolveShares", "saveSubscriptions",
      "signIn",
      "signOut", "signUp",
    ],
  ]) { $1 }
}

/// What a fault does to a kind of request or push.
private struct Effect: Hashable {
  let verb: FaultVerb
  let kind: FaultKind

  /// All that a server can be told.
  static let all = FaultVerb.allCases.flatMap { verb in
    FaultKind.all.filter { fits(verb.action, $0) }.map { Effect(verb: verb, kind: $0) }
  }

  /// What a step makes a server do to requests and pushes of an app.
  static func effects(of step: ScenarioStep, in app: DeviceApp) -> [Effect] {
    guard let fault = fault(of: step)?.fitted(to: app) else { return [] }
    return FaultKind.all.filter { kind in
      (fault.scope.kinds?.contains(kind) ?? app.sends(kind)) && fits(fault.action, kind)
    }.map { Effect(verb: FaultVerb(fault.action), kind: $0) }
  }

  private static func fault(of step: ScenarioStep) -> Fault? {
    switch step {
    case .cloud(let step):
      switch step.effect(in: AnyContext()) {
      case .add(let fault), .replace(let fault): fault
      case .remove, .removeAll, .administer, .ask, .doubleSubscription, .expireTokens, .fillDisk, .breakDisk: nil
      }
    case .tables(let step): Fault(step)
    case .push(.fault(let trouble)): trouble.fault
    default: nil
    }
  }

  private static func fits(_ action: FaultAction, _ kind: FaultKind) -> Bool {
    var subject = FaultSubject(.readRows)
    subject.kind = kind
    subject.savesSubscriptions = [.cloud(.modifySubscriptions), .cloud(.saveSubscriptions)].contains(kind)
    guard !action.fits(subject) else { return true }
    guard kind == .push || kind == .table(.changeEvent) else { return false }
    subject.delivery = FaultSubject.Delivery(to: ["A"])
    return action.fits(subject)
  }
}

extension DeviceApp {
  /// Whether devices of the app send such a request or get such a push.
  fileprivate func sends(_ kind: FaultKind) -> Bool {
    switch kind {
    case .cloud: !hasTables
    case .table: hasTables
    case .push: conversation.usesPushes
    }
  }
}

/// Resolves every name.
private struct AnyContext: CloudStepContext {
  func id(of record: RecordReference) throws(Never) -> RecordID {
    RecordID(recordName: "x", zoneID: ZoneID(zoneName: "Items"))
  }
  func deviceID(of device: String) throws(Never) -> String { device }
  func account(of holder: Holder) throws(Never) -> Name { "nanny" }
  func zone(_ name: String?) throws(Never) -> ZoneID { ZoneID(zoneName: "Items") }
  func subscriptionID() throws(Never) -> String { "changes" }
  var wall: WallTime { WallTime(milliseconds: 0) }
}

/// The actions of faults without their values.
private enum FaultVerb: String, CaseIterable, CustomTestStringConvertible {
  case refuse, refuseItems, loseRequest, loseAnswer, delayAnswer, repeatRequest, staleFeed, stuckToken, listZone,
    omitRecords, doubleRecords, forgetSubscriptions, muteSubscriptions
  case reject, rejectItems, staleRows, omitRows, doubleRows, cutSocket, silentJoin, refuseJoin, deafJoin, muteHeartbeat,
    expireTokens, endSession, skewTokens, restamp
  case drop, duplicate, swap, delay, prune, withoutID, misaddress

  var testDescription: String { rawValue }

  init(_ action: FaultAction) {
    self =
      switch action {
      case .refuse: .refuse
      case .refuseItems: .refuseItems
      case .loseRequest: .loseRequest
      case .loseAnswer: .loseAnswer
      case .delayAnswer: .delayAnswer
      case .repeatRequest: .repeatRequest
      case .staleFeed: .staleFeed
      case .stuckToken: .stuckToken
      case .listZone: .listZone
      case .omitRecords: .omitRecords
      case .doubleRecords: .doubleRecords
      case .forgetSubscriptions: .forgetSubscriptions
      case .muteSubscriptions: .muteSubscriptions
      case .table(let action): FaultVerb(action)
      case .push(let fault): FaultVerb(fault)
      }
  }

  private init(_ action: TableFaultAction) {
    self =
      switch action {
      case .reject: .reject
      case .rejectItems: .rejectItems
      case .staleRows: .staleRows
      case .omitRows: .omitRows
      case .doubleRows: .doubleRows
      case .cutSocket: .cutSocket
      case .silentJoin: .silentJoin
      case .refuseJoin: .refuseJoin
      case .deafJoin: .deafJoin
      case .muteHeartbeat: .muteHeartbeat
      case .expireTokens: .expireTokens
      case .endSession: .endSession
      case .skewTokens: .skewTokens
      case .restamp: .restamp
      }
  }

  private init(_ fault: PushFault) {
    self =
      switch fault {
      case .drop: .drop
      case .duplicate: .duplicate
      case .swap: .swap
      case .delay: .delay
      case .prune: .prune
      case .withoutID: .withoutID
      case .misaddress: .misaddress
      }
  }

  /// An action of this kind.
  var action: FaultAction {
    switch self {
    case .refuse: .refuse(.planted(.zoneBusy))
    case .refuseItems: .refuseItems(.planted(.zoneBusy))
    case .loseRequest: .loseRequest
    case .loseAnswer: .loseAnswer
    case .delayAnswer: .delayAnswer(milliseconds: 1)
    case .repeatRequest: .repeatRequest
    case .staleFeed: .staleFeed(milliseconds: 1)
    case .stuckToken: .stuckToken
    case .listZone: .listZone("Ghost")
    case .omitRecords: .omitRecords
    case .doubleRecords: .doubleRecords
    case .forgetSubscriptions: .forgetSubscriptions
    case .muteSubscriptions: .muteSubscriptions
    case .reject: .table(.reject(ServiceRefusal(503, code: "", "busy")))
    case .rejectItems: .table(.rejectItems(code: "53100"))
    case .staleRows: .table(.staleRows(milliseconds: 1))
    case .omitRows: .table(.omitRows)
    case .doubleRows: .table(.doubleRows)
    case .cutSocket: .table(.cutSocket(code: nil))
    case .silentJoin: .table(.silentJoin)
    case .refuseJoin: .table(.refuseJoin(reason: "busy"))
    case .deafJoin: .table(.deafJoin(milliseconds: 1))
    case .muteHeartbeat: .table(.muteHeartbeat)
    case .expireTokens: .table(.expireTokens)
    case .endSession: .table(.endSession)
    case .skewTokens: .table(.skewTokens(milliseconds: 1))
    case .restamp: .table(.restamp(milliseconds: 1))
    case .drop: .push(.drop)
    case .duplicate: .push(.duplicate)
    case .swap: .push(.swap)
    case .delay: .push(.delay(milliseconds: 1))
    case .prune: .push(.prune)
    case .withoutID: .push(.withoutID)
    case .misaddress: .push(.misaddress)
    }
  }
}

/// The options with which a server or a scenario can be started.
@Suite struct `every option` {
  @Test func `of a server can be set in a scenario, or is listed here`() throws {
    #expect(
      ServeVerb.spec.options.map(\.name).sorted() == (Array(Self.inScenarios.keys) + Self.ofProcesses.keys).sorted())
    for line in Self.inScenarios.values {
      _ = try Scenario(parsing: "scenario \"s\"\n\(line)\ndevices A signed in as nanny\n")
    }
  }

  @Test func `of scenarios is drawn by a seed, or is listed here`() {
    var drawn: Set<String> = []
    for app in AppTable.all {
      var swarm = Swarm(apps: [app])
      swarm.minutes = 1
      for seed in 1...UInt64(60) { drawn.formUnion(swarm.story(seed: seed).draft.options.map(Self.name)) }
    }
    let all =
      ["seed"] + CountOption.allCases.map(\.rawValue) + SpanOption.allCases.map(\.rawValue)
      + ChoiceOption.allCases.map(\.rawValue)
    #expect(Set(all).subtracting(drawn).sorted() == Self.undrawn.sorted())
  }

  private static func name(_ option: ScenarioOption) -> String {
    switch option {
    case .seed: "seed"
    case .count(let option, _): option.rawValue
    case .span(let option, _): option.rawValue
    case .choice(let option, _): option.rawValue
    }
  }

  private static let inScenarios = [
    "--origin-leak": "option origin leak 30", "--push-slot": "option slot policy random",
    "--push-burst": "option push burst 2s",
    "--token-life": "option token life 90s",
  ]

  /// The options without a counterpart, and why.
  private static let ofProcesses = [
    "--auth": "keys are cryptography", "--key-scope": "so are these", "--key-clock": "and these",
    "--http": "an address", "--push": "an address", "--log": "an output",
    "--import": "a scenario writes what its cloud begins with", "--export-on-exit": "an output",
    "--openapi": "an output", "--tables": "the apps of the devices decide what is served", "--documents": "so do they",
    "--functions": "no app of a device has a schema with functions",
    "--push-retire-tokens": "always on", "--strict": "devices of the program send what a strict cloud accepts",
    "--schema": "no app of a device has one",
    "--dependents": "a limit of one request, which tests of the cloud reach with three records",
  ]

  /// The options that no seed draws: with them a device fetches by itself within minutes, or misses what a cloud shows late,
  /// or decides about deletions otherwise than the model of the records.
  private static let undrawn = ["delete rule", "empty push delay", "empty push tries", "fallback", "pushes"]
}
