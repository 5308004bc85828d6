import ZoneKitRecords

extension Evaluation {
  /// A change after which a zone has that header and the next database sequence, with its notice.
  mutating func zoneChange(
    _ header: ZoneHeader, clearsZone: Bool = false, records: [StoredRecord] = [], definitions: [FieldDefinition] = [],
    isOfRecords: Bool = true, state: inout DatabaseState, using generator: inout some RandomNumberGenerator
  ) throws(EvaluationFailure) -> Outcome.ZoneChange {
    var transition = try reader.transition(
      to: header, of: key(header.zoneName), at: now, records: records, definitions: definitions, state: &state)
    transition.clearsZone = clearsZone
    let matches = try QueryMatches(of: records, in: key(header.zoneName), state.subscriptions, of: self).all
    var notice: Notice?
    // Changes of the default zone fire query subscriptions only.
    let isSilent = header.zoneName.isDefaultZone
    if !isSilent || !matches.isEmpty {
      let subscriptions = isSilent ? [] : state.subscriptions
      notice = self.notice(
        of: header.zoneName, isOfRecords: isOfRecords, subscriptions: subscriptions, using: &generator)
      notice?.matches = matches
    }
    return Outcome.ZoneChange(key: key(header.zoneName), transition: transition, notice: notice)
  }

  /// The notice of a change. There is one per request and zone (CloudKit Web Services, f.3). It is also made if there
  /// are no subscriptions, for observers of the push service. It lists subscriptions without notification info, which
  /// the push service ignores.
  func notice(
    of zoneName: Name, isOfRecords: Bool, subscriptions: [Subscription],
    using generator: inout some RandomNumberGenerator
  ) -> Notice {
    let matching = subscriptions.filter { subscription in
      guard isActive(subscription) else { return false }
      return switch subscription.kind {
      case .zone(let id): isOfRecords && id.zoneName == zoneName
      case .database: true
      case .query: false
      }
    }
    return Notice(
      database: database, zoneID: ZoneID(zoneName: zoneName), notificationID: RandomIdentifier.uuid(using: &generator),
      originDeviceID: caller.deviceID, committedAt: now, subscriptions: matching)
  }

  /// Whether changes fire the subscription by now.
  func isActive(_ subscription: Subscription) -> Bool {
    index.isActive(subscription.subscriptionID, in: database, at: now)
  }
}

extension Outcome {
  /// Adds a change of a zone. One-time subscriptions that it fires are removed with it, and from `state` immediately,
  /// so that the next change of the same request does not fire them again.
  mutating func add(_ change: ZoneChange, spending state: inout DatabaseState, in database: DatabaseID) {
    zoneChanges.append(change)
    let fired = (change.notice?.subscriptions ?? []) + (change.notice?.matches.map(\.subscription) ?? [])
    let spent = fired.filter(\.firesOnce).map(\.key)
    guard !spent.isEmpty else { return }
    state.subscriptions.removeAll { spent.contains($0.key) }
    var transition = spentSubscriptions?.transition ?? DatabaseTransition()
    transition.removedSubscriptions += spent
    spentSubscriptions = DatabaseChange(database: database, transition: transition)
  }
}
