import ZoneKitRecords

extension Evaluation {
  /// A change after which a zone has that header and the next database sequence, with its notice.
  mutating func zoneChange(
    _ header: ZoneHeader, in key: ZoneKey, clearsZone: Bool = false, records: [StoredRecord] = [],
    definitions: [FieldDefinition] = [],
    isOfRecords: Bool = true, state: inout DatabaseState, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome.ZoneChange {
    var transition = try reader.transition(
      to: header, of: key, at: now, records: records, definitions: definitions, state: &state)
    transition.clearsZone = clearsZone
    let matches = try QueryMatches(of: records, in: key, state.subscriptions, of: self).all
    var notice: Notice?
    // Changes of the default zone fire query subscriptions only.
    let isSilent = header.zoneName.isDefaultZone
    if !isSilent || !matches.isEmpty {
      let subscriptions = isSilent ? [] : state.subscriptions
      notice = self.notice(
        of: ZoneID(zoneName: header.zoneName), in: key.database, isOfRecords: isOfRecords, subscriptions: subscriptions,
        using: &generator)
      notice?.matches = matches
    }
    var change = Outcome.ZoneChange(key: key, transition: transition, notice: notice)
    change.participantNotices = try participantNotices(
      of: header, in: key, clearsZone ? nil : records, like: notice, using: &generator)
    return change
  }

  /// The notice of a change. There is one per request and zone (CloudKit Web Services, f.3). It is also made if there
  /// are no subscriptions, for observers of the push service. It lists subscriptions without notification info, which
  /// the push service ignores.
  func notice(
    of zoneID: ZoneID, in database: DatabaseID, isOfRecords: Bool, subscriptions: [Subscription],
    using generator: inout some RandomNumberGenerator
  ) -> Notice {
    let matching = subscriptions.filter { subscription in
      guard isActive(subscription, in: database) else { return false }
      return switch subscription.kind {
      case .zone(let id): isOfRecords && id == zoneID
      case .database: true
      case .query: false
      }
    }
    return Notice(
      database: database, zoneID: zoneID, notificationID: RandomIdentifier.uuid(using: &generator),
      originDeviceID: caller.deviceID, committedAt: now, subscriptions: matching)
  }

  /// Whether changes fire the subscription by now.
  func isActive(_ subscription: Subscription, in database: DatabaseID) -> Bool {
    index.isActive(subscription.subscriptionID, in: database, at: now)
  }
}

extension Outcome {
  /// Adds a change of a zone. One-time subscriptions that it fires are removed with it, and from `state` immediately,
  /// so that the next change of the same request does not fire them again.
  mutating func add(_ change: ZoneChange, spending state: inout DatabaseState, in database: DatabaseID) {
    zoneChanges.append(change)
    for notice in change.participantNotices {
      let spent = notice.subscriptions.filter(\.firesOnce).map(\.key)
      if !spent.isEmpty { spend(spent, in: notice.database) }
    }
    let fired = (change.notice?.subscriptions ?? []) + (change.notice?.matches.map(\.subscription) ?? [])
    let spent = fired.filter(\.firesOnce).map(\.key)
    guard !spent.isEmpty else { return }
    state.subscriptions.removeAll { spent.contains($0.key) }
    spend(spent, in: database)
  }

  private mutating func spend(_ keys: [Subscription.Key], in database: DatabaseID) {
    let transition = DatabaseTransition(removedSubscriptions: keys)
    spentSubscriptions.append(DatabaseChange(database: database, transition: transition))
  }
}
