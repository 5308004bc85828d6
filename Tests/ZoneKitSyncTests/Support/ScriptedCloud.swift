import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

/// A coordinator whose requests are answered one by one from a script, without a world around it.
struct ScriptedCloud {
  var coordinator: SyncCoordinator<MemoryDeviceStore>
  /// What was asked, in order.
  private(set) var requests: [CloudRequest] = []
  /// What was reported, in order, but for the requests.
  private(set) var facts: [DeviceFact] = []
  /// The records that the user was shown anew.
  private(set) var shown: [RecordID] = []
  /// The push connection is made while the next request of this kind is under way; nil for not at all.
  var connectsDuring: RequestKind?
  private var generator = SplitMix64(seed: 1)
  private var now: Int64 = 1_000_000

  init(_ configuration: CoordinatorConfiguration, store: MemoryDeviceStore = MemoryDeviceStore()) throws {
    coordinator = try SyncCoordinator(store: store, configuration: configuration)
  }

  /// Starts the app of account `nanny` and answers all that it asks.
  mutating func launch(_ answer: (CloudRequest) -> CloudResponse?) throws {
    let effects = try coordinator.launch(account: "nanny", at: Sample.moment(now), using: &generator)
    carryOut(effects, answer)
  }

  /// Makes edits and answers all that the device asks then.
  mutating func edit(_ edits: [RecordEdit], _ answer: (CloudRequest) -> CloudResponse?) throws {
    now += 10_000
    let effects = try coordinator.edit(edits, at: Sample.moment(now), using: &generator)
    carryOut(effects, answer)
  }

  /// Asks for a sync and answers all that the device asks then.
  mutating func sync(_ reason: SyncReason, _ answer: (CloudRequest) -> CloudResponse?) {
    now += 10_000
    let effects = coordinator.requestSyncIfNeeded(reason: reason, at: Sample.moment(now), using: &generator)
    carryOut(effects, answer)
  }

  /// Moves the app to the background and answers all that the device asks then.
  mutating func leave(_ answer: (CloudRequest) -> CloudResponse?) {
    now += 1_000
    carryOut(coordinator.enteredBackground(at: Sample.moment(now), using: &generator), answer)
  }

  /// Moves the app to the foreground and answers all that the device asks then.
  mutating func enter(_ answer: (CloudRequest) -> CloudResponse?) {
    now += 1_000
    carryOut(coordinator.foreground(at: Sample.moment(now), using: &generator), answer)
  }

  /// Delivers a push and answers all that the device asks for it.
  mutating func push(_ push: PushNotification, _ answer: (CloudRequest) -> CloudResponse?) {
    self.push([push], answer)
  }

  /// Delivers pushes at one time and answers all that the device asks for them.
  mutating func push(
    _ pushes: [PushNotification], hints: [PushHint?] = [], _ answer: (CloudRequest) -> CloudResponse?
  ) {
    now += 10_000
    for (index, push) in pushes.enumerated() {
      let hint = index < hints.count ? hints[index] : nil
      carryOut(coordinator.receivedPush(push, hint: hint, at: Sample.moment(now), using: &generator), answer)
    }
    // A push with a pace of its own may have started its sync already.
    if !coordinator.isIdle { tick(answer) }
  }

  /// The session of the account is over. Answers all that the device asks then.
  mutating func endSession(_ reason: String, _ answer: (CloudRequest) -> CloudResponse?) {
    carryOut(coordinator.sessionEnded(reason), answer)
  }

  /// Lets time pass.
  mutating func wait(_ milliseconds: Int64) { now += milliseconds }

  /// The present time in milliseconds.
  var time: Int64 { now }

  /// Lets time pass until the device has something to do, and answers all that it asks then.
  mutating func tick(_ answer: (CloudRequest) -> CloudResponse?) {
    now = coordinator.nextDeadline?.milliseconds ?? now
    carryOut(coordinator.tick(at: Sample.moment(now), using: &generator), answer)
  }

  /// Forgets what was asked and reported so far.
  mutating func forget() {
    requests = []
    facts = []
    shown = []
  }

  private mutating func carryOut(_ effects: [Effect], _ answer: (CloudRequest) -> CloudResponse?) {
    var waiting = effects
    while !waiting.isEmpty {
      switch waiting.removeFirst() {
      case .fact(let fact): facts.append(fact)
      case .remoteChange(let records): shown += records
      case .send(let id, let request):
        requests.append(request)
        now += 1
        if request.kind == connectsDuring {
          connectsDuring = nil
          waiting += coordinator.pushConnected(at: Sample.moment(now), using: &generator)
        }
        let unexpected = CloudError(.serverResponseLost, "the script has no answer to \(request)")
        let result: Result<CloudResponse, CloudError> = answer(request).map { .success($0) } ?? .failure(unexpected)
        waiting += coordinator.received(id, result, at: Sample.moment(now), using: &generator)
      }
    }
  }
}
