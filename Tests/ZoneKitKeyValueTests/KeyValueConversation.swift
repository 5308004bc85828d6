import ZoneKitRecords
import ZoneKitSync

/// The conversation with a cloud of one zone: the zone is made where it is missing, pulled by its token, and sent batches.
/// There is no list of zones, no subscription and no push token.
struct KeyValueConversation: Conversation {
  private enum Phase: Hashable, Sendable {
    case idle
    case creating
    case pulling
    case pushing(SentBatch)
    case lookingUp([Name])
  }

  let zoneID: ZoneID
  private var phase = Phase.idle
  private var isPulled = false
  private var isMissing = false
  private var lookups: [Name] = []
  private var sending = SendProgress()
  /// How often one sync may make the zone, or read it from its beginning, before it gives up.
  private var attempts = 3

  init(zoneID: ZoneID) { self.zoneID = zoneID }

  mutating func launched(_ configuration: CoordinatorConfiguration) {}
  mutating func accountChanged(_ configuration: CoordinatorConfiguration) {}
  mutating func pushTokenDropped(_ configuration: CoordinatorConfiguration) {}
  mutating func missedPush<Store: DeviceStore>(_ ledger: inout Ledger<Store>, at now: Moment) {}
  mutating func abandon() { phase = .idle }
  func hasSettled<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>) -> Bool { true }

  func readsDatabaseFeed(_ configuration: CoordinatorConfiguration) -> Bool { false }

  var usesPushes: Bool { false }

  mutating func begin<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>, at now: Moment) {
    self = KeyValueConversation(zoneID: zoneID)
    isPulled = !session.hasToFetch
    sending = SendProgress(batchLimit: ledger.configuration.limits.batch)
  }

  mutating func next<Store: DeviceStore>(
    _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    if isMissing { return ask(.modifyZones([.create(zoneID)]), .creating) }
    if !isPulled {
      let limit = ledger.configuration.limits.page
      let query = ZoneChangesQuery(zoneID: zoneID, token: ledger.zone(zoneID)?.token, limit: limit)
      return ask(.fetchZoneChanges([query]), .pulling)
    }
    if !lookups.isEmpty {
      let names = lookups
      lookups = []
      return ask(.lookupRecords(zoneID: zoneID, recordNames: names), .lookingUp(names))
    }
    guard !sending.isDone, let waiting = try ledger.nextToSend(session, at: now) else { return ConversationStep(.end) }
    guard !sending.isOver(waiting.zoneID, rounds: ledger.configuration.limits.rounds) else {
      return ConversationStep(.giveUp(CloudError(.serverRecordChanged, "others keep changing the same entries")))
    }
    lookups = waiting.unconfirmedDeletions
    if !lookups.isEmpty { return try next(&session, &ledger, at: now, using: &generator) }
    let (batch, effects) = try ledger.send(waiting, limit: sending.batchLimit, at: now)
    guard let batch else { return try next(&session, &ledger, at: now, using: &generator).after(effects) }
    return ask(.modifyRecords(batch.request), .pushing(batch.sent)).after(effects)
  }

  private mutating func ask(_ request: CloudRequest, _ phase: Phase) -> ConversationStep {
    self.phase = phase
    return ConversationStep(.ask(request))
  }

  mutating func received<Store: DeviceStore>(
    _ response: CloudResponse, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    let effects: [Effect]
    switch (phase, response) {
    case (.creating, .zones(let results)):
      if case .failed(_, let error)? = results.first { return ConversationStep(.giveUp(error)) }
      isMissing = false
      try ledger.zoneCreated(zoneID, at: now)
      effects = [.fact(.zoneCreated(zoneID))]
    case (.pulling, .zoneChanges(let results)):
      switch results.first {
      case .changes(let changes)?:
        let page = try ledger.merge(changes, &session, at: now, using: &generator)
        isPulled = !changes.moreComing || page.isStuck
        lookups += page.unsure
        effects = page.effects
      case .failed(_, let error)?: return try failed(error, &session, &ledger, at: now, using: &generator)
      case nil: return Self.misfit
      }
    case (.pushing(let batch), .records(let results)), (.pushing(let batch), .atomicFailure(let results)):
      if let error = results.compactMap(\.error).first(where: { $0.code == .zoneNotFound }) {
        return try failed(error, &session, &ledger, at: now, using: &generator)
      }
      let settlement = try ledger.settle(batch, results, &session, at: now, using: &generator)
      lookups = settlement.lookups
      if let error = settlement.setback { session.setBack(by: error) }
      if settlement.isFull || settlement.setback != nil { sending.stop() }
      effects = settlement.effects
    case (.lookingUp(let names), .records(let results)):
      let part: FullFetchPart = ledger.zone(zoneID)?.isInFullFetch == true ? .last : .none
      let lookup = try ledger.merge(
        results, of: names, in: zoneID, endOf: part, session: &session, at: now, using: &generator)
      sending.lookedUp(names, in: zoneID)
      if let error = lookup.failure { session.setBack(by: error) }
      if lookup.failure != nil { sending.stop() }
      effects = lookup.effects
    default: return Self.misfit
    }
    return try next(&session, &ledger, at: now, using: &generator).after(effects)
  }

  private static var misfit: ConversationStep {
    ConversationStep(.giveUp(CloudError(.internalError, "the answer does not fit the request")))
  }

  mutating func failed<Store: DeviceStore>(
    _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    guard !error.code.stopsSync else { return ConversationStep(.giveUp(error)) }
    var effects: [Effect] = []
    switch (phase, error.code) {
    case (.pulling, .changeTokenExpired) where attempts > 0:
      attempts -= 1
      effects = try ledger.tokenExpired(of: zoneID, at: now)
    case (.pulling, .zoneNotFound) where attempts > 0, (.pushing, .zoneNotFound) where attempts > 0:
      attempts -= 1
      isMissing = true
      effects = try ledger.zoneGone(zoneID, .lost, at: now)?.effects ?? []
    case (.pushing, .quotaExceeded):
      sending.stop()
      effects = try ledger.cloudIsFull(at: now)
    case (.pushing, .zoneBusy), (.idle, _), (.creating, _), (.pulling, _), (.lookingUp, _):
      return ConversationStep(.giveUp(error))
    case (.pushing(let batch), _):
      if !sending.refused(batch.names.count) { effects = try ledger.quarantine(batch, error, at: now) }
    }
    return try next(&session, &ledger, at: now, using: &generator).after(effects)
  }

  mutating func ended<Store: DeviceStore>(
    _ session: SyncSession, _ ledger: inout Ledger<Store>, at now: Moment
  ) -> Bool {
    phase = .idle
    return false
  }

  var activity: ConversationActivity {
    switch phase {
    case .creating, .pushing: .sending
    case .idle, .pulling, .lookingUp: .fetching
    }
  }
}
