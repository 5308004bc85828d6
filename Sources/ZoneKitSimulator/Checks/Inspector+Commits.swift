import ZoneKitRecords
import ZoneKitCloud

/// What the cloud may not do when it commits.
extension Inspector {
  /// The cloud has ended a turn.
  mutating func committed(
    _ effects: [CloudEffect], cloud: SimulatedCloud, at now: MonotonicTime
  ) {
    checkBatches(effects, at: now)
    for case .fact(.committed(let commit)) in effects { checkReferences(in: commit.zone, of: cloud, at: now) }
    checkNotices(effects, of: cloud, at: now)
  }

  private mutating func checkBatches(_ effects: [CloudEffect], at now: MonotonicTime) {
    var answers = 0
    var refused = 0
    for case .answer(_, let response) in effects {
      answers += 1
      if case .atomicFailure = response { refused += 1 }
    }
    guard refused > 0 else { return }
    for case .fact(.committed(let commit)) in effects where commit.requests > answers - refused {
      report(Violation(.tornBatch, at: now, "an atomic batch failed, and some of it was written"))
    }
  }

  private mutating func checkReferences(in zone: ZoneKey, of cloud: SimulatedCloud, at now: MonotonicTime) {
    guard let reference = cloud.server.store.brokenReference(in: zone) else { return }
    let text =
      "record \(zone.zoneName)/\(reference.source) refers by \(reference.field), \(reference.action.rawValue), to "
      + "\(reference.target), which is not there"
    report(Violation(.reference, at: now, text))
  }

  /// Every notice goes to whoever is subscribed to the whole database.
  private mutating func checkNotices(
    _ effects: [CloudEffect], of cloud: SimulatedCloud, at now: MonotonicTime
  ) {
    guard cloud.server.limits.subscriptionIndexDelay == 0 else { return }
    for effect in effects {
      // A subscription of this turn may have come behind the change.
      if case .answer(_, .subscriptions) = effect { return }
    }
    for case .notify(let notice) in effects {
      let subscriptions = (try? cloud.server.store.database(notice.database))?.subscriptions ?? []
      for subscription in subscriptions where subscription.kind == .database {
        if notice.subscriptions.contains(subscription) { continue }
        let text = "subscription \(subscription.subscriptionID) is not told of a change of zone \(notice.zoneID.words)"
        report(Violation(.subscription, at: now, text))
      }
    }
  }
}
