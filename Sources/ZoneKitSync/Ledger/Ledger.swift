import ZoneKitRecords

/// What a device keeps and decides, independent of the protocol that it speaks with its cloud: its store, merging, the plan of sending,
/// and when to ask again.
///
/// A conversation hands it what the cloud said and asks it what to send. Which request is asked when is not known here.
package struct Ledger<Store: DeviceStore> {
  /// Where the device keeps what it observed.
  package internal(set) var store: Store
  /// What the app told the coordinator once.
  package let configuration: CoordinatorConfiguration
  /// The store's values and zone states; always equal to what was committed last.
  private(set) var memory: DeviceMemory
  /// Joins the requests for syncs, and says when the next one starts.
  var gate: SyncGate
  /// How long the cloud is left alone after failures.
  var backoff: Backoff
  /// Holds back records that several devices keep overwriting.
  var storm: StormDetector
  /// The cloud's clock, as far as it is known.
  var cloudClock = CloudClock()
  /// The pushes that came, and what they announced.
  var pushes = PushWatch()

  /// A ledger over what a store holds. Throws where the store cannot be read.
  init(store: Store, configuration: CoordinatorConfiguration) throws(StoreError) {
    precondition(configuration.scope != .public, "the public database has no feed of changes to sync with")
    self.store = store
    self.configuration = configuration
    memory = try DeviceMemory(reading: store)
    gate = SyncGate(quiet: configuration.quiet, quietLimit: configuration.quietLimit)
    backoff = Backoff(first: configuration.backoffFirst, limit: configuration.backoffLimit)
    storm = StormDetector(limit: configuration.stormLimit, window: configuration.stormWindow)
  }

  /// How the device names itself in its requests; empty before the first launch.
  package var deviceID: String { memory.text(.deviceID) ?? "" }

  /// The device's registered address with the push service; nil as long as there is none.
  package var pushToken: String? { memory.text(.pushToken) }

  /// Up to where the database's feed was read; nil before its first page.
  package var databaseToken: ChangeToken? { memory.databaseToken(of: configuration.scope) }

  /// What is known of every zone, ascending by zone ID.
  package var zones: [ZoneState] { memory.zones }

  /// What is known of a zone; nil where nothing is.
  package func zone(_ zoneID: ZoneID) -> ZoneState? { memory.zone(zoneID) }

  /// The zone ID as the device's user sees it: the user's own zones belong to `caller`.
  package func own(_ zoneID: ZoneID) -> ZoneID {
    memory.account.map { zoneID.resolved(for: UserRecordName.of(user: $0)) } ?? zoneID
  }

  /// Asks for another sync at that time, unless an earlier one is asked for with the same reason.
  package mutating func requestSync(_ reason: SyncReason, at time: MonotonicTime) { gate.request(reason, at: time) }

  func draft(at now: Moment) -> DeviceDraft { DeviceDraft(memory, now: now.wall) }

  /// A draft for a page, which may change which records wait to be shown.
  mutating func pageDraft(at now: Moment) -> DeviceDraft {
    memory.settlePendingReferences()
    return draft(at: now)
  }

  /// Keeps a draft. Where the store fails nothing has changed, as far as is known: a disk that dies after the write has
  /// kept everything, so what it holds is read again.
  mutating func commit(_ draft: DeviceDraft) throws(StoreError) {
    let transition = draft.transition
    guard !transition.isEmpty else { return }
    do {
      try store.commit(transition)
    } catch {
      if let kept = try? DeviceMemory(reading: store) {
        // Which records wait to be shown cannot be told from the store alone once what they wait for is there.
        memory = [draft.memory, memory].first { $0.isStored(as: kept) } ?? kept
      }
      throw error
    }
    memory = draft.memory
  }

  /// The time on the cloud's clock, as far as it is known, rather too early than too late.
  func cloudTime(at now: Moment) -> WallTime { cloudClock.time(at: now, offset: memory.integer(.clockOffset)) }

  /// Forgets everything that is held in memory about the account before and what went wrong for it.
  mutating func forgetAccount() {
    backoff.reset()
    gate.endBackoff()
    pushes.forgetAccount()
    storm = StormDetector(limit: configuration.stormLimit, window: configuration.stormWindow)
  }
}
