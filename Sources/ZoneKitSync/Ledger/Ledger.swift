import ZoneKitRecords

/// The part of a device's syncing that does not depend on the cloud's protocol: its store, merging, what to send, and
/// when to sync again.
///
/// A conversation passes it the cloud's data and gets from it what to send. The ledger does not know which request is
/// sent when.
package struct Ledger<Store: DeviceStore> {
  /// The device's store.
  package internal(set) var store: Store
  /// The app's settings.
  package let configuration: CoordinatorConfiguration
  /// The values and zone states in the store, equal to the last committed ones.
  private(set) var memory: DeviceMemory
  /// Joins requests for a sync and decides when the next one starts.
  var gate: SyncGate
  /// The waiting time after failures.
  var backoff: Backoff
  /// Detects records that several devices keep overwriting, and holds them back.
  var storm: StormDetector
  /// The cloud's clock, as far as it is known.
  var cloudClock = CloudClock()
  /// The record that the user wants to be sent before all others; nil for none.
  var urgent: RecordID?
  /// The received pushes, and what they announced.
  var pushes = PushWatch()

  /// A ledger over a store. Throws if the store cannot be read.
  init(store: Store, configuration: CoordinatorConfiguration) throws(StoreError) {
    precondition(configuration.traits.scope != .public, "the public database has no feed of changes to sync with")
    self.store = store
    self.configuration = configuration
    memory = try DeviceMemory(reading: store)
    gate = SyncGate(
      quiet: configuration.pacing.quiet, quietLimit: configuration.pacing.quietLimit, paces: configuration.pacing.paces,
      completesPushes: configuration.traits.announcedTypes != nil)
    backoff = Backoff(first: configuration.pacing.backoffFirst, limit: configuration.pacing.backoffLimit)
    storm = StormDetector(limit: configuration.limits.stormWrites, window: configuration.limits.stormWindow)
  }

  /// The device ID in requests; empty before the first launch.
  package var deviceID: String { memory.text(.deviceID) ?? "" }

  /// The registered push token; nil if there is none.
  package var pushToken: String? { memory.text(.pushToken) }

  /// The token of the database's feed; nil before its first page.
  package var databaseToken: ChangeToken? { memory.databaseToken(of: configuration.traits.scope) }

  /// The states of all zones, in ascending order of zone IDs.
  package var zones: [ZoneState] { memory.zones }

  /// The zones whose feeds a full fetch reads, as the device's user sees them; none if the database's feed lists them.
  package var feedZones: [ZoneID] {
    switch configuration.traits.feeds {
    case .database: []
    case .zones(let zones): zones.map(own)
    }
  }

  /// The states of all zones whose feeds can be read: those of the app in its order, also ones that were not read yet,
  /// and then the other known ones.
  package var readableZones: [ZoneState] {
    let own = feedZones
    return own.map { zone($0) ?? .unread($0) } + zones.filter { !own.contains($0.zoneID) }
  }

  /// The state of a zone; nil if the device does not know it.
  package func zone(_ zoneID: ZoneID) -> ZoneState? { memory.zone(zoneID) }

  /// The zone ID as the device's user sees it: the user's own zones belong to `caller`.
  package func own(_ zoneID: ZoneID) -> ZoneID {
    memory.account.map { zoneID.resolved(for: UserRecordName.of(user: $0)) } ?? zoneID
  }

  /// Requests a sync for that time. An earlier request with the same reason is kept.
  package mutating func requestSync(_ reason: SyncReason, at time: MonotonicTime) { gate.request(reason, at: time) }

  func draft(at now: Moment) -> DeviceDraft {
    DeviceDraft(memory, now: now.wall, ignoredField: configuration.ignoredField)
  }

  /// The journal for decisions at that time.
  func journal(at now: Moment) -> ConflictJournal {
    ConflictJournal(deviceID: deviceID, now: now.wall, ignoredField: configuration.ignoredField)
  }

  /// A draft for a page, which may change which records wait to be shown.
  mutating func pageDraft(at now: Moment) -> DeviceDraft {
    memory.settlePendingReferences()
    return draft(at: now)
  }

  /// Commits a draft. If the store throws, usually nothing has changed. A disk that fails after the write may have kept
  /// everything, so the store's content is read again.
  mutating func commit(_ draft: DeviceDraft) throws(StoreError) {
    let transition = draft.transition
    guard !transition.isEmpty else { return }
    do {
      try store.commit(transition)
    } catch {
      if let kept = try? DeviceMemory(reading: store) {
        // Which records wait to be shown cannot be derived from the store alone after the records that they wait for
        // have arrived.
        memory = [draft.memory, memory].first { $0.isStored(as: kept) } ?? kept
      }
      throw error
    }
    memory = draft.memory
  }

  /// The present time of the cloud's clock; if it is not known exactly, rather too early than too late.
  func cloudTime(at now: Moment) -> WallTime { cloudClock.time(at: now, offset: memory.integer(.clockOffset)) }

  /// Removes everything in memory about the previous account and its failures.
  mutating func forgetAccount() {
    backoff.reset()
    gate.endBackoff()
    urgent = nil
    pushes.forgetAccount()
    storm = StormDetector(limit: configuration.limits.stormWrites, window: configuration.limits.stormWindow)
  }
}
