import ZoneKitRecords

/// From notices to notifications, and from notifications to devices.
extension PushGateway {
  /// Takes in a committed change. Nothing is sent before `endTurn`, so that the notices of one turn are coalesced.
  /// The device that made the change is left out. The generator decides leaks and which notification stays in a slot, and
  /// is asked only where the policy leaves one of them to chance.
  package mutating func notify(_ notice: Notice, using generator: inout some RandomNumberGenerator) {
    let rooms = directory.rooms(for: notice.database)
    guard !rooms.isEmpty else { return }
    let receiver = UserRecordName.of(user: notice.database.user)
    var subscribed: [Int] = []
    for subscription in notice.subscriptions {
      guard let info = subscription.notificationInfo else { continue }
      subscribed.append(turn.add(parcel(of: notice, subscription, info, for: receiver, using: &generator)))
    }
    var implicit: [Int]?
    for room in rooms {
      for member in room {
        if subscribed.isEmpty {
          guard endpoints[member].token == nil else { continue }
          let watched =
            implicit ?? [turn.add(parcel(of: notice, .watch, .silent, for: receiver, using: &generator))]
          implicit = watched
          make(watched, of: notice, for: member, using: &generator)
        } else {
          make(subscribed, of: notice, for: member, using: &generator)
        }
      }
    }
  }

  /// Sends, stores or discards what the notices of this turn led to. `measure` says how many bytes a notification's
  /// payload has; one over the limit is pruned. Devices with the same notifications share one `send`.
  package mutating func endTurn(at moment: Moment, measure: (PushNotification) -> Int) -> [Effect] {
    guard !turn.isEmpty else { return [] }
    let ended = turn
    turn = Turn()
    var journal = Journal()
    let ready = ended.parcels.map { $0.pruned(sentAt: moment.wall, measure) }
    for (parcel, names) in ended.excluded { record(ended.parcels[parcel], .excludedOrigin, names, &journal) }
    for group in groups(of: ended) {
      let (kept, merged) = ended.coalesced(on: group.path)
      let names = group.members.map { endpoints[$0].name }
      for parcel in merged { record(ended.parcels[parcel], .coalesced, names, &journal) }
      for parcel in kept where ready[parcel] == nil {
        record(ended.parcels[parcel], .discarded(.payloadTooLarge), names, &journal)
      }
      deliver(kept.compactMap { ready[$0] }, to: group.members, at: moment, &journal)
    }
    return journal.effects
  }

  /// Delivers a notification to every endpoint of a device by hand, at once and as it is; nil where no device has that
  /// name.
  package mutating func deliver(
    _ notification: PushNotification, toDevice device: String, at moment: Moment
  ) -> [Effect]? {
    let members = endpoints.indices.filter { endpoints[$0].isCalled(device) }
    guard !members.isEmpty else { return nil }
    var journal = Journal()
    counters.made += members.count
    lastSerial += 1
    pass([Parcel(serial: lastSerial, notification, topic: nil)], to: members, at: moment, &journal)
    return journal.effects
  }

  /// Hands a turn's notifications, oldest first, to endpoints: silent ones join a burst where the policy has such.
  private mutating func deliver(
    _ parcels: [Parcel], to members: [Int], at moment: Moment, _ journal: inout Journal
  ) {
    guard policy.burstWindow > 0, parcels.allSatisfy({ $0.priority == .low }) else {
      return pass(parcels, to: members, at: moment, &journal)
    }
    for member in members {
      switch endpoints[member].line {
      case .vacant, .offline, .blocked: pass(parcels, to: [member], at: moment, &journal)
      case .online(let connection): gather(parcels, after: nil, for: member, on: connection, at: moment, &journal)
      case .gathering(let connection, let held, let burst):
        gather(parcels, after: (held, burst), for: member, on: connection, at: moment, &journal)
      }
    }
  }

  /// Keeps silent notifications for a burst; what is more than may be held goes, the oldest first.
  private mutating func gather(
    _ parcels: [Parcel], after gathered: (held: [Parcel], burst: UInt64)?, for member: Int,
    on connection: ConnectionID, at moment: Moment, _ journal: inout Journal
  ) {
    guard let first = parcels.first else { return }
    var held = gathered?.held ?? []
    let name = [endpoints[member].name]
    for parcel in parcels {
      if held.count >= policy.heldLimit {
        counters.held -= 1
        record(held.removeFirst(), .discarded(.overwritten), name, &journal)
      }
      held.append(parcel)
      record(parcel, .held, name, &journal)
    }
    let burst = gathered?.burst ?? first.serial
    endpoints[member].line = .gathering(connection, held: held, burst: burst)
    guard gathered == nil else { return }
    let due = moment.monotonic.advanced(byMilliseconds: policy.burstWindow)
    bursts.append(ExpiryQueue.Entry(endpoint: member, serial: burst, due: due))
  }

  /// Hands notifications, oldest first, to endpoints: connected ones get them, with what was gathered for them; others
  /// have them held or stored.
  mutating func pass(_ parcels: [Parcel], to members: [Int], at moment: Moment, _ journal: inout Journal) {
    guard !parcels.isEmpty else { return }
    var reached: [ConnectionID] = []
    var names: [String] = []
    for member in members {
      switch endpoints[member].line {
      case .vacant: continue
      case .online(let connection):
        reached.append(connection)
        names.append(endpoints[member].name)
      case .gathering:
        let held = takeWaiting(member, at: moment, &journal)
        pass(held + parcels, to: [member], at: moment, &journal)
      case .blocked(let connection, let held):
        hold(held, parcels, for: member, behind: connection, &journal)
      case .offline(let stored):
        store(parcels, over: stored, for: member, at: moment, &journal)
      }
    }
    guard !reached.isEmpty else { return }
    journal.add(.send(to: reached, parcels.map { $0.notification(sentAt: moment.wall) }))
    for parcel in parcels { record(parcel, .delivered, names, &journal) }
  }

  /// Counts what became of a notification for some devices and puts it in the journal.
  mutating func record(_ parcel: Parcel, _ outcome: Outcome, _ names: [String], _ journal: inout Journal) {
    counters.add(names.count, outcome)
    journal.note(parcel, outcome, names)
  }

  private mutating func make(
    _ parcels: [Int], of notice: Notice, for member: Int, using generator: inout some RandomNumberGenerator
  ) {
    if let origin = notice.originDeviceID, endpoints[member].device == origin, !leaks(using: &generator) {
      for parcel in parcels { turn.exclude(endpoints[member].name, from: parcel) }
      return
    }
    counters.made += parcels.count
    var path = endpoints[member].path
    if path == Turn.start { turn.touch(member) }
    for parcel in parcels { path = turn.step(from: path, to: parcel) }
    endpoints[member].path = path
  }

  private func leaks(using generator: inout some RandomNumberGenerator) -> Bool {
    policy.leakRate > 0 && Double.random(in: 0..<1, using: &generator) < policy.leakRate
  }

  /// The endpoints with something to get, grouped by what they get, in the order in which they came to it.
  private mutating func groups(of ended: Turn) -> [(path: Int, members: [Int])] {
    var groups: [(path: Int, members: [Int])] = []
    var places = [Int?](repeating: nil, count: ended.pathCount)
    for member in ended.touched {
      let path = endpoints[member].path
      // An endpoint may have gone since, and its number been taken by another.
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

  /// Keeps the newest notification of each topic for a connection that cannot take more now.
  private mutating func hold(
    _ held: [Parcel], _ parcels: [Parcel], for member: Int, behind connection: ConnectionID, _ journal: inout Journal
  ) {
    var held = held
    let name = [endpoints[member].name]
    for parcel in parcels {
      let older = held.firstIndex { $0.isOverwritten(by: parcel) }
      if let overwritten = older ?? (held.count >= policy.heldLimit ? held.indices.first : nil) {
        counters.held -= 1
        record(held.remove(at: overwritten), .discarded(.overwritten), name, &journal)
      }
      held.append(parcel)
      record(parcel, .held, name, &journal)
    }
    endpoints[member].line = .blocked(connection, held: held)
  }

  /// Keeps one notification in the one slot of a device that is away.
  private mutating func store(
    _ parcels: [Parcel], over stored: Endpoint.Stored?, for member: Int, at moment: Moment, _ journal: inout Journal
  ) {
    let name = [endpoints[member].name]
    guard policy.timeToLive > 0 else {
      for parcel in parcels { record(parcel, .discarded(.deviceOffline), name, &journal) }
      return
    }
    var rivals = parcels
    if let stored {
      if stored.due > moment.monotonic {
        rivals.insert(stored.parcel, at: 0)
      } else {
        counters.stored -= 1
        record(stored.parcel, .discarded(.expired), name, &journal)
      }
    }
    guard let winner = survivor(of: rivals, at: member) else { return }
    for parcel in rivals where parcel.serial != winner.serial {
      if parcel.serial == stored?.parcel.serial { counters.stored -= 1 }
      record(parcel, .discarded(.overwritten), name, &journal)
    }
    guard winner.serial != stored?.parcel.serial else { return }
    let due = moment.monotonic.advanced(byMilliseconds: policy.timeToLive)
    endpoints[member].line = .offline(stored: Endpoint.Stored(parcel: winner, due: due))
    record(winner, .stored, name, &journal)
    expiries.append(ExpiryQueue.Entry(endpoint: member, serial: winner.serial, due: due))
    dropStaleExpiries()
  }

  /// The notification, of those from the oldest to the newest, that a slot keeps.
  private func survivor(of parcels: [Parcel], at member: Int) -> Parcel? {
    switch policy.slot {
    case .newest: parcels.last
    case .oldest: parcels.first
    case .random: parcels.max { $0.lot(at: member) < $1.lot(at: member) }
    }
  }

  private mutating func parcel(
    of notice: Notice, _ subscription: Subscription, _ info: NotificationInfo, for receiver: Name,
    using generator: inout some RandomNumberGenerator
  ) -> Parcel {
    lastSerial += 1
    let lot: UInt64? = policy.slot == .random ? generator.next() : nil
    let topic = Topic(
      database: notice.database, zoneID: notice.zoneID, subscriptionID: subscription.subscriptionID)
    return Parcel(
      serial: lastSerial, PushNotification(notice, subscription, info, for: receiver), topic: topic, lot: lot)
  }
}
