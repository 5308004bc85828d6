import ZoneKitRecords

/// Makes notifications of notices, and delivers them to devices.
extension PushGateway {
  /// A change was committed. Nothing is sent before `endTurn`, so that the notices of one turn are coalesced. The
  /// device that made the change gets no notification. The generator is used only if the policy leaves the origin's
  /// pushes or the choice for a slot to chance.
  package mutating func notify(_ notice: Notice, using generator: inout some RandomNumberGenerator) {
    // In a public database each account has subscriptions of its own.
    let subscribers = Set(notice.matches.compactMap(\.subscription.user)).sorted()
    for user in [notice.database.user] + subscribers { notify(notice, of: user, using: &generator) }
  }

  /// Makes the notifications for the devices of an account.
  private mutating func notify(
    _ notice: Notice, of user: Name, using generator: inout some RandomNumberGenerator
  ) {
    let groups = directory.members(
      of: user, in: notice.database.container, environment: notice.database.environment)
    guard !groups.isEmpty else { return }
    let receiver = UserRecordName.of(user: user)
    var subscribed: [Int] = []
    for subscription in notice.subscriptions {
      guard let info = subscription.notificationInfo, info.makesPush else { continue }
      subscribed.append(turn.add(notification(of: notice, subscription, info, for: receiver, using: &generator)))
    }
    for match in notice.matches where match.subscription.user == nil || match.subscription.user == user {
      guard let info = match.subscription.notificationInfo, info.makesPush else { continue }
      subscribed.append(
        turn.add(
          notification(of: notice, match.subscription, info, match.record, for: receiver, using: &generator)))
    }
    // Watchers hear of changes for which there are pushes of the usual kinds, so not of the default zone.
    guard !subscribed.isEmpty || notice.zoneID.zoneName != ZoneID.defaultZone.zoneName else { return }
    var implicit: [Int]?
    for group in groups {
      for member in group {
        if subscribed.isEmpty {
          guard endpoints[member].token == nil else { continue }
          let watched =
            implicit ?? [turn.add(notification(of: notice, .watch, .silent, for: receiver, using: &generator))]
          implicit = watched
          make(watched, of: notice, for: member, using: &generator)
        } else {
          make(subscribed, of: notice, for: member, using: &generator)
        }
      }
    }
  }

  /// Sends, stores or discards the notifications of this turn. `measure` returns the size of a notification's payload
  /// in bytes; a payload over the limit is pruned. Devices with the same notifications share one `send`.
  package mutating func endTurn(at moment: Moment, measure: (PushNotification) -> Int) -> [Effect] {
    guard !turn.isEmpty else { return [] }
    let ended = turn
    turn = Turn()
    var effects = Effects()
    let ready = ended.notifications.map { $0.pruned(sentAt: moment.wall, measure) }
    for (notification, names) in ended.excluded {
      record(ended.notifications[notification], .excludedOrigin, names, &effects)
    }
    for group in groups(of: ended) {
      let (kept, merged) = ended.coalesced(on: group.path)
      let names = group.members.map { endpoints[$0].name }
      for notification in merged { record(ended.notifications[notification], .coalesced, names, &effects) }
      for notification in kept where ready[notification] == nil {
        record(ended.notifications[notification], .discarded(.payloadTooLarge), names, &effects)
      }
      deliver(kept.compactMap { ready[$0] }, to: group.members, at: moment, &effects)
    }
    return effects.all
  }

  /// Delivers a notification immediately and unchanged to every endpoint of a device, or to that of a push token; nil if
  /// there is none of that name.
  package mutating func deliver(
    _ notification: PushNotification, toDevice device: String, at moment: Moment
  ) -> [Effect]? {
    let members = tokens[device].map { [$0] } ?? endpoints.indices.filter { endpoints[$0].isCalled(device) }
    guard !members.isEmpty else { return nil }
    var effects = Effects()
    counters.made += members.count
    lastSerial += 1
    pass([StoredNotification(serial: lastSerial, notification, topic: nil)], to: members, at: moment, &effects)
    return effects.all
  }

  /// Delivers a turn's notifications, oldest first, to endpoints. If the policy has bursts, silent ones are collected.
  private mutating func deliver(
    _ notifications: [StoredNotification], to members: [Int], at moment: Moment, _ effects: inout Effects
  ) {
    guard policy.burstWindow > 0, notifications.allSatisfy({ $0.priority == .low }) else {
      return pass(notifications, to: members, at: moment, &effects)
    }
    for member in members {
      switch endpoints[member].line {
      case .vacant, .offline, .blocked, .polled: pass(notifications, to: [member], at: moment, &effects)
      case .online(let connection): gather(notifications, after: nil, for: member, on: connection, at: moment, &effects)
      case .gathering(let connection, let held, let burst):
        gather(notifications, after: (held, burst), for: member, on: connection, at: moment, &effects)
      }
    }
  }

  /// Adds silent notifications to a burst. If there are more than may be held, the oldest ones are dropped.
  private mutating func gather(
    _ notifications: [StoredNotification], after gathered: (held: [StoredNotification], burst: UInt64)?,
    for member: Int,
    on connection: ConnectionID, at moment: Moment, _ effects: inout Effects
  ) {
    guard let first = notifications.first else { return }
    var held = gathered?.held ?? []
    let name = [endpoints[member].name]
    for notification in notifications {
      if held.count >= policy.heldLimit {
        counters.held -= 1
        record(held.removeFirst(), .discarded(.overwritten), name, &effects)
      }
      held.append(notification)
      record(notification, .held, name, &effects)
    }
    let burst = gathered?.burst ?? first.serial
    endpoints[member].line = .gathering(connection, held: held, burst: burst)
    guard gathered == nil else { return }
    let due = moment.monotonic.advanced(byMilliseconds: policy.burstWindow)
    bursts.append(ExpiryQueue.Entry(endpoint: member, serial: burst, due: due))
  }

  /// Delivers notifications, oldest first, to endpoints. Connected ones get them after what was collected for them; for
  /// others they are held or stored.
  mutating func pass(
    _ notifications: [StoredNotification], to members: [Int], at moment: Moment, _ effects: inout Effects
  ) {
    guard !notifications.isEmpty else { return }
    var reached: [ConnectionID] = []
    var names: [String] = []
    for member in members {
      switch endpoints[member].line {
      case .vacant: continue
      case .online(let connection):
        reached.append(connection)
        names.append(endpoints[member].name)
      case .gathering:
        let held = takeWaiting(member, at: moment, &effects)
        pass(held + notifications, to: [member], at: moment, &effects)
      case .blocked(let connection, let held):
        hold(held, notifications, for: member, behind: connection, &effects)
      case .offline(let stored):
        store(notifications, over: stored, for: member, at: moment, &effects)
      case .polled(let waiting, let polls):
        answer(polls, with: notifications, behind: waiting, for: member, at: moment, &effects)
      }
    }
    guard !reached.isEmpty else { return }
    effects.add(.send(to: reached, notifications.map { $0.payload(sentAt: moment.wall) }))
    for notification in notifications { record(notification, .delivered, names, &effects) }
  }

  /// Counts the outcome of a notification for some devices, and adds a fact.
  mutating func record(
    _ notification: StoredNotification, _ outcome: Outcome, _ names: [String], _ effects: inout Effects
  ) {
    counters.add(names.count, outcome)
    effects.note(notification, outcome, names)
  }

  private mutating func make(
    _ notifications: [Int], of notice: Notice, for member: Int, using generator: inout some RandomNumberGenerator
  ) {
    if let origin = notice.originDeviceID, endpoints[member].device == origin, !leaks(using: &generator) {
      for notification in notifications { turn.exclude(endpoints[member].name, from: notification) }
      return
    }
    counters.made += notifications.count
    var path = endpoints[member].path
    if path == Turn.start { turn.touch(member) }
    for notification in notifications { path = turn.step(from: path, to: notification) }
    endpoints[member].path = path
  }

  private func leaks(using generator: inout some RandomNumberGenerator) -> Bool {
    policy.leakRate > 0 && Double.random(in: 0..<1, using: &generator) < policy.leakRate
  }

  /// The endpoints that get something, grouped by what they get, in the order of their first notification.
  private mutating func groups(of ended: Turn) -> [(path: Int, members: [Int])] {
    var groups: [(path: Int, members: [Int])] = []
    var places = [Int?](repeating: nil, count: ended.pathCount)
    for member in ended.touched {
      let path = endpoints[member].path
      // The endpoint may have been removed since, and its number may be used by another one.
      guard path != Turn.start else { continue }
      endpoints[member].path = Turn.start
      if let place = places[path] {
        groups[place].members.append(member)
      } else {
        places[path] = groups.count
        groups.append((path, [member]))
      }
    }
    return groups
  }

  /// Holds the newest notification of each topic for a slow connection.
  private mutating func hold(
    _ held: [StoredNotification], _ notifications: [StoredNotification], for member: Int,
    behind connection: ConnectionID, _ effects: inout Effects
  ) {
    var held = held
    let name = [endpoints[member].name]
    for notification in notifications {
      let older = held.firstIndex { $0.isOverwritten(by: notification) }
      if let overwritten = older ?? (held.count >= policy.heldLimit ? held.indices.first : nil) {
        counters.held -= 1
        record(held.remove(at: overwritten), .discarded(.overwritten), name, &effects)
      }
      held.append(notification)
      record(notification, .held, name, &effects)
    }
    endpoints[member].line = .blocked(connection, held: held)
  }

  private mutating func notification(
    of notice: Notice, _ subscription: Subscription, _ info: NotificationInfo, _ record: RecordNotice? = nil,
    for receiver: Name, using generator: inout some RandomNumberGenerator
  ) -> StoredNotification {
    lastSerial += 1
    let tieBreak: UInt64? = policy.slot == .random ? generator.next() : nil
    let topic = Topic(
      database: notice.database, zoneID: notice.zoneID, subscriptionID: subscription.subscriptionID,
      recordName: record?.recordName)
    return StoredNotification(
      serial: lastSerial, PushNotification(notice, subscription, info, of: record, for: receiver), topic: topic,
      tieBreak: tieBreak)
  }
}
