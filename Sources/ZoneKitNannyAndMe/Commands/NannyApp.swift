import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The app on one device: what the user sees, and the edits for the user's commands.
///
/// It writes nothing itself. The coordinator stores the edits, and passes the changed records to `refresh`, as it does
/// with remote changes.
package struct NannyApp: Hashable, Sendable {
  /// The log.
  package private(set) var log = ActionLogStore()
  /// The profiles.
  package private(set) var profiles = ProfileStore()
  /// The profile of an account that has no other.
  package let firstProfile: Profile

  /// The app of that account with an empty store.
  package init(user: Name) { firstProfile = NannyZone.firstProfile(of: user) }

  /// The app of that account with a store's profiles, and an empty log until `readLog`.
  package init(user: Name, profilesFrom store: some DeviceStore) throws(StoreError) {
    self.init(user: user)
    profiles = try ProfileStore(rebuiltFrom: store)
  }

  /// The app of that account with the content of a store, without hidden actions.
  package init(
    user: Name, rebuiltFrom store: some DeviceStore, leavingOut hidden: [RecordID] = []
  ) throws(StoreError) {
    try self.init(user: user, profilesFrom: store)
    try readLog(from: store, leavingOut: hidden)
  }

  /// Reads the log again, without hidden actions.
  package mutating func readLog(
    from store: some DeviceStore, leavingOut hidden: [RecordID] = []
  ) throws(StoreError) {
    log = try ActionLogStore(rebuiltFrom: store, leavingOut: hidden)
  }

  /// Reads the named records again, after a remote change or a local save. Actions are read only if the log was read.
  package mutating func refresh(
    _ changed: [RecordID], withLog: Bool = true, from store: some DeviceStore
  ) throws(StoreError) {
    for id in changed {
      let record = try store.record(id)
      if withLog { log.refresh(id, record) }
      profiles.refresh(id, record)
    }
  }

  /// What an earlier app shows otherwise, as a sentence; nil if both show the same.
  func difference(from earlier: NannyApp) -> String? {
    if self == earlier { return nil }
    if firstProfile != earlier.firstProfile { return "the app is that of another account" }
    if let id = log.firstDifference(from: earlier.log) { return "the log shows another version of \(id.words)" }
    return profiles == earlier.profiles ? "the log has another order or other refusals" : "other profiles are shown"
  }

  /// The profile to which commands apply; nil if there is none.
  package var currentProfile: Profile? { profiles.current(firstProfile: firstProfile.id) }

  /// The running actions that `RunningActionRule` has to end. Ask for them after every merge. The coordinator adds them
  /// to the journal under `RunningActionRule.name`.
  package var repairs: [RunningActionRule.Repair] {
    RunningActionRule.repairs(of: log.actions.prefix(while: \.isRunning))
  }

  /// The answer to a command. `now` is the time of the device's wall clock, `zone` its time zone. The generator
  /// makes the IDs; the coordinator makes the stamps.
  package func perform(
    _ command: NannyCommand, now: WallTime, in zone: TimeZoneRules = .utc,
    using generator: inout some RandomNumberGenerator
  ) throws(AppRefusal) -> NannyAnswer {
    switch command {
    case .log(let new):
      return add(action(new, isRunning: false, now: now, in: zone, using: &generator), said: "logged")
    case .start(let new):
      try demandNoneRunning(new.kind.category)
      return add(action(new, isRunning: true, now: now, in: zone, using: &generator), said: "started")
    case .stop(let target, let time):
      let action = try running(target)
      let ended = try ActionEdit.endDate(time ?? .now).applied(to: action, now: now, in: zone)
      return replace(action, with: ended, said: "stopped")
    case .edit(let id, let edit):
      let action = try self.action(withIDPrefix: id)
      let edited = try edit.applied(to: action, now: now, in: zone)
      return replace(action, with: edited, said: "set \(edit.field) of")
    case .delete(let id): return try delete(id)
    case .profileName(let name): return editProfile { $0.name = name }
    case .profileBirth(let time):
      return editProfile { $0.birthDate = time.resolved(now: now, in: zone) }
    case .list(let limit): return .actions(log.list(limit), ActionTotals(of: log.actions))
    case .show(let id):
      switch try find(id) {
      case .action(let action): return .action(action)
      case .profile(let profile): return .profile(profile)
      }
    }
  }
}

extension NannyApp {
  private func action(
    _ new: NewAction, isRunning: Bool, now: WallTime, in zone: TimeZoneRules,
    using generator: inout some RandomNumberGenerator
  ) -> BabyAction {
    let profile = (currentProfile ?? firstProfile).id
    let start = (new.at ?? new.until ?? .now).resolved(now: now, in: zone)
    let id = RecordID(recordName: Name(RandomIdentifier.uuid(using: &generator)), zoneID: profile.zoneID)
    var action = BabyAction(
      id: id, category: new.kind.category, startDate: start,
      endDate: isRunning ? nil : new.until?.resolved(now: now, in: zone) ?? start, profile: profile.recordName,
      updatedAt: .oldestStamp)
    action.diaperType = new.kind.diaperType
    action.feedingType = new.kind.feedingType
    action.bottleVolume = new.volume
    action.bottleType = new.bottleType
    return ActionRules.normalised(action)
  }

  private func add(_ action: BabyAction, said: String) -> NannyAnswer {
    let profile = currentProfile == nil ? [RecordEdit(firstProfile, stamping: .asGiven)] : []
    return .changed(
      profile + [RecordEdit(action, stamping: .now)], said: "\(said) \(action.title) \(action.shortID)")
  }

  /// The answer to an edit of an action; no edits if the content is unchanged.
  private func replace(_ action: BabyAction, with edited: BabyAction, said: String) -> NannyAnswer {
    let (own, others) = repairs(after: edited)
    guard RecordContent(own) != RecordContent(action) else {
      return .unchanged(said: "\(action.title) \(action.shortID) is like that already")
    }
    return .changed(
      [RecordEdit(own, stamping: .now)] + others.map { RecordEdit($0.ended, stamping: .asGiven) },
      said: "\(said) \(own.title) \(own.shortID)")
  }

  /// The repairs after an edit. An edit can result in two running actions; the rule then ends the earlier one in the
  /// same transaction.
  private func repairs(after edited: BabyAction) -> (own: BabyAction, others: [RunningActionRule.Repair]) {
    let running = log.actions.prefix(while: \.isRunning).filter { $0.id != edited.id } + [edited]
    let repairs = RunningActionRule.repairs(of: running)
    let own = repairs.first { $0.ended.id == edited.id }?.ended ?? edited
    return (own, repairs.filter { $0.ended.id != edited.id })
  }

  private func editProfile(_ change: (inout Profile) -> Void) -> NannyAnswer {
    var profile = currentProfile ?? firstProfile
    let before = RecordContent(profile)
    change(&profile)
    guard RecordContent(profile) != before || currentProfile == nil else {
      return .unchanged(said: "profile \(profile.name) is like that already")
    }
    return .changed([RecordEdit(profile, stamping: .now)], said: "profile \(profile.name) \(profile.id.shortName)")
  }

  /// Deletes an action or a profile. With a profile its actions are deleted, and before it, so that the cloud's cascade
  /// has nothing to delete.
  private func delete(_ id: String) throws(AppRefusal) -> NannyAnswer {
    switch try find(id) {
    case .action(let action):
      return .changed([.delete(action.id)], said: "deleted \(action.title) \(action.shortID)")
    case .profile(let profile):
      let actions = log.actions(of: profile.id)
      return .changed(
        actions.map { .delete($0.id) } + [.delete(profile.id)],
        said: "deleted profile \(profile.name) and its \(actions.count.counted("action"))")
    }
  }
}
