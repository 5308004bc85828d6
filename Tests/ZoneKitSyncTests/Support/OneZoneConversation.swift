import ZoneKitRecords

@testable import ZoneKitSync

/// The conversation with a cloud that has one zone: it is pulled by its token and pushed in batches. There is no list of
/// zones, no subscription and no push token.
struct OneZoneConversation: Conversation {
  private enum Phase {
    case idle
    case pulling
    case pushing(SentBatch)
    case lookingUp([Name])
  }

  let zoneID: ZoneID
  private var phase = Phase.idle
  private var isPulled = false
  private var isPushed = false
  private var lookups: [Name] = []

  init(zoneID: ZoneID) { self.zoneID = zoneID }

  mutating func launched(_ configuration: CoordinatorConfiguration) {}
  mutating func accountChanged(_ configuration: CoordinatorConfiguration) {}
  mutating func pushTokenDropped(_ configuration: CoordinatorConfiguration) {}
  mutating func missedPush<Store: DeviceStore>(_ ledger: inout Ledger<Store>, at now: Moment) {}
  mutating func abandon() { phase = .idle }

  mutating func begin<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>, at now: Moment) {
    self = OneZoneConversation(zoneID: zoneID)
    isPulled = !session.hasToFetch
  }

  mutating func next<Store: DeviceStore>(
    _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    if !isPulled {
      let token = ledger.zone(zoneID)?.token
      return ask(.fetchZoneChanges([ZoneChangesQuery(zoneID: zoneID, token: token, limit: 100)]), .pulling)
    }
    if !lookups.isEmpty {
      let names = lookups
      lookups = []
      return ask(.lookupRecords(zoneID: zoneID, recordNames: names), .lookingUp(names))
    }
    guard !isPushed, let waiting = try ledger.nextToSend(session, at: now) else { return ConversationStep(.end) }
    let (batch, effects) = try ledger.send(waiting, limit: 100, at: now)
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
    case (.pulling, .zoneChanges(let results)):
      guard case .changes(let changes)? = results.first else { return failure }
      let page = try ledger.merge(changes, &session, at: now, using: &generator)
      isPulled = !changes.moreComing || page.isStuck
      effects = page.effects
    case (.pushing(let batch), .records(let results)):
      let settlement = try ledger.settle(batch, results, &session, at: now, using: &generator)
      lookups += settlement.lookups
      if let error = settlement.setback { session.setBack(by: error) }
      isPushed = settlement.isFull || settlement.setback != nil
      effects = settlement.effects
    case (.lookingUp(let names), .records(let results)):
      let lookup = try ledger.merge(
        results, of: names, in: zoneID, endOf: .none, session: &session, at: now, using: &generator)
      if let error = lookup.failure { session.setBack(by: error) }
      effects = lookup.effects
    default: return failure
    }
    return try next(&session, &ledger, at: now, using: &generator).after(effects)
  }

  private var failure: ConversationStep {
    ConversationStep(.giveUp(CloudError(.internalError, "the answer does not fit the request")))
  }

  mutating func failed<Store: DeviceStore>(
    _ error: CloudError, _ session: inout SyncSession, _ ledger: inout Ledger<Store>, at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) -> ConversationStep {
    ConversationStep(.giveUp(error))
  }

  func hasSettled<Store: DeviceStore>(_ session: SyncSession, _ ledger: Ledger<Store>) -> Bool { true }

  mutating func ended<Store: DeviceStore>(
    _ session: SyncSession, _ ledger: inout Ledger<Store>, at now: Moment
  ) -> Bool {
    phase = .idle
    return false
  }

  func readsDatabaseFeed(_ configuration: CoordinatorConfiguration) -> Bool { false }

  var usesPushes: Bool { false }

  var activity: ConversationActivity {
    switch phase {
    case .pushing: .sending
    case .idle, .pulling, .lookingUp: .fetching
    }
  }
}
