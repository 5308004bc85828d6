import ZoneKitRecords

/// What is stored for a device that is not connected.
extension PushGateway {
  /// The most notifications that are stored for the polls of one token.
  package static let queueLimit = 1_000

  /// Stores notifications for a device that is not connected. APNs keeps one (sync semantics, 2.3), the web courier keeps
  /// all (CloudKit Web Services, f.2). Which of them a device uses shows at its first connection; until then all are kept.
  mutating func store(
    _ notifications: [StoredNotification], over stored: [Endpoint.Stored], for member: Int, at moment: Moment,
    _ effects: inout Effects
  ) {
    let name = [endpoints[member].name]
    guard policy.timeToLive > 0 else {
      for notification in notifications { record(notification, .discarded(.deviceOffline), name, &effects) }
      return
    }
    let before = unexpired(stored, at: moment, name, &effects)
    let rivals = before.map(\.notification) + notifications
    let kept =
      endpoints[member].mayPoll
      ? Set(rivals.suffix(Self.queueLimit).map(\.serial))
      : Set([survivor(of: rivals, at: member)?.serial].compactMap(\.self))
    for loser in rivals where !kept.contains(loser.serial) {
      if before.contains(where: { $0.notification.serial == loser.serial }) { counters.stored -= 1 }
      record(loser, .discarded(.overwritten), name, &effects)
    }
    var line = before.filter { kept.contains($0.notification.serial) }
    for notification in notifications where kept.contains(notification.serial) {
      line.append(keep(notification, for: member, at: moment, &effects))
    }
    endpoints[member].line = .offline(stored: line)
    dropStaleExpiries()
  }

  /// Counts a notification as stored, and adds its expiry.
  mutating func keep(
    _ notification: StoredNotification, for member: Int, at moment: Moment, _ effects: inout Effects
  ) -> Endpoint.Stored {
    let due = moment.monotonic.advanced(byMilliseconds: policy.timeToLive)
    record(notification, .stored, [endpoints[member].name], &effects)
    expiries.append(ExpiryQueue.Entry(endpoint: member, serial: notification.serial, due: due))
    return Endpoint.Stored(notification: notification, due: due)
  }

  /// The stored notifications that have not expired. The others are discarded.
  mutating func unexpired(
    _ stored: [Endpoint.Stored], at moment: Moment, _ name: [String], _ effects: inout Effects
  ) -> [Endpoint.Stored] {
    for expired in stored where expired.due <= moment.monotonic {
      counters.stored -= 1
      record(expired.notification, .discarded(.expired), name, &effects)
    }
    return stored.filter { $0.due > moment.monotonic }
  }

  /// The one of several stored notifications that a device gets when it connects to the push socket. The others are
  /// discarded.
  mutating func slotted(_ stored: [Endpoint.Stored], of member: Int, _ effects: inout Effects) -> StoredNotification? {
    let winner = survivor(of: stored.map(\.notification), at: member)
    for loser in stored where loser.notification.serial != winner?.serial {
      counters.stored -= 1
      record(loser.notification, .discarded(.overwritten), [endpoints[member].name], &effects)
    }
    return winner
  }

  /// The notification that a slot keeps, of several from the oldest to the newest.
  private func survivor(of notifications: [StoredNotification], at member: Int) -> StoredNotification? {
    switch policy.slot {
    case .newest: notifications.last
    case .oldest: notifications.first
    case .random: notifications.max { $0.tieBreak(at: member) < $1.tieBreak(at: member) }
    }
  }
}
