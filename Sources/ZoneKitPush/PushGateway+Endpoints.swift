import ZoneKitRecords

/// Adds and removes endpoints, with the notifications that wait for them.
extension PushGateway {
  /// The open connection of an endpoint.
  func connection(of index: Int) -> ConnectionID? {
    switch endpoints[index].line {
    case .online(let connection), .gathering(let connection, _, _), .blocked(let connection, _): connection
    case .offline, .vacant, .polled: nil
    }
  }

  /// The names by which faults know the device of a connection, and the accounts whose notifications it gets; nil for a
  /// connection without a hello.
  package func recipient(of connection: ConnectionID) -> (names: [String], users: [Name])? {
    guard let index = connections[connection] else { return nil }
    let endpoint = endpoints[index]
    return (
      [endpoint.name, endpoint.device, endpoint.token].compactMap(\.self),
      endpoint.memberships.map { directory.audience(of: $0).user }
    )
  }

  /// The ID of the subscription in notifications of changes to which the user has none, which watchers get.
  package static let watchID = "watch"

  /// Whether a device of that name or ID, or that push token, is registered or connected.
  package func knows(_ name: String) -> Bool { tokens[name] != nil || endpoints.contains { $0.isCalled(name) } }

  /// The name in its hello of each registered device, by its device ID.
  package var namesOfDevices: [(deviceID: String, name: String)] {
    endpoints.compactMap { endpoint in endpoint.device.map { ($0, endpoint.name) } }
  }

  /// Adds an endpoint and returns its number.
  mutating func settle(_ endpoint: Endpoint) -> Int {
    guard let index = vacancies.popLast() else {
      endpoints.append(endpoint)
      return endpoints.count - 1
    }
    endpoints[index] = endpoint
    return index
  }

  /// Removes an endpoint and forgets its connection.
  mutating func remove(_ index: Int, because reason: DiscardReason, _ effects: inout Effects) {
    forget(index, because: reason, &effects)
    for membership in endpoints[index].memberships { leave(membership, by: index) }
    if let token = endpoints[index].token {
      tokens[token] = nil
      counters.registrations -= 1
    } else {
      counters.watchers -= 1
    }
    endpoints[index] = .vacant
    vacancies.append(index)
  }

  /// Discards all notifications for an endpoint: those of this turn, stored and held ones.
  mutating func forget(_ index: Int, because reason: DiscardReason, _ effects: inout Effects) {
    let name = endpoints[index].name
    let unsent = turn.notifications(on: endpoints[index].path)
    endpoints[index].path = Turn.start
    for notification in unsent { record(notification, .discarded(reason), [name], &effects) }
    switch endpoints[index].line {
    case .vacant, .online: return
    case .offline(let stored):
      endpoints[index].line = .offline(stored: [])
      discard(stored, because: reason, [name], &effects)
    case .polled(let waiting, let polls):
      endpoints[index].line = .polled(waiting: [], polls: [])
      endPolls(polls, &effects)
      discard(waiting, because: reason, [name], &effects)
    case .gathering(let connection, let held, _):
      endpoints[index].line = .online(connection)
      counters.held -= held.count
      dropStaleBursts()
      for notification in held { record(notification, .discarded(reason), [name], &effects) }
    case .blocked(let connection, let held):
      endpoints[index].line = .blocked(connection, held: [])
      counters.held -= held.count
      for notification in held { record(notification, .discarded(reason), [name], &effects) }
    }
  }

  private mutating func discard(
    _ stored: [Endpoint.Stored], because reason: DiscardReason, _ names: [String], _ effects: inout Effects
  ) {
    counters.stored -= stored.count
    dropStaleExpiries()
    for notification in stored { record(notification.notification, .discarded(reason), names, &effects) }
  }

  /// Removes and returns the notifications that are stored or held for an endpoint, oldest first. Discards those that
  /// have expired.
  mutating func takeWaiting(_ index: Int, at moment: Moment, _ effects: inout Effects) -> [StoredNotification] {
    switch endpoints[index].line {
    case .vacant, .online: return []
    case .gathering(let connection, let held, _):
      endpoints[index].line = .online(connection)
      counters.held -= held.count
      dropStaleBursts()
      return held
    case .blocked(let connection, let held):
      endpoints[index].line = .blocked(connection, held: [])
      counters.held -= held.count
      return held
    case .offline(let stored): return takeSlotted(stored, of: index, at: moment, &effects)
    case .polled(let waiting, let polls):
      endPolls(polls, &effects)
      return takeSlotted(waiting, of: index, at: moment, &effects)
    }
  }

  private mutating func takeSlotted(
    _ stored: [Endpoint.Stored], of index: Int, at moment: Moment, _ effects: inout Effects
  ) -> [StoredNotification] {
    let kept = unexpired(stored, at: moment, [endpoints[index].name], &effects)
    endpoints[index].line = .offline(stored: [])
    guard let taken = slotted(kept, of: index, &effects) else { return [] }
    counters.stored -= 1
    dropStaleExpiries()
    return [taken]
  }

  /// Ends a membership of an endpoint. Updates the endpoint that moves to the free position.
  mutating func leave(_ membership: Directory.Membership, by index: Int) {
    endpoints[index].memberships.removeAll { $0.group == membership.group }
    guard let moved = directory.leave(membership),
      let place = endpoints[moved].memberships.firstIndex(where: { $0.group == membership.group })
    else { return }
    endpoints[moved].memberships[place].position = membership.position
  }

  /// Discards the stored notifications that have expired (sync semantics, 2.3: apns-expiration), sends the bursts whose
  /// window has ended, and answers the polls that have waited for their time.
  package mutating func expire(at moment: Moment) -> [Effect] {
    var effects = Effects()
    while let first = expiries.first, first.due <= moment.monotonic {
      expireStored(of: first.endpoint, at: moment, &effects)
      dropStaleExpiries()
    }
    endPolls(at: moment, &effects)
    while let first = bursts.first, first.due <= moment.monotonic {
      let held = takeWaiting(first.endpoint, at: moment, &effects)
      pass(held, to: [first.endpoint], at: moment, &effects)
    }
    return effects.all
  }

  private mutating func expireStored(of index: Int, at moment: Moment, _ effects: inout Effects) {
    let name = [endpoints[index].name]
    switch endpoints[index].line {
    case .offline(let stored):
      endpoints[index].line = .offline(stored: unexpired(stored, at: moment, name, &effects))
    case .polled(let waiting, let polls):
      endpoints[index].line = .polled(waiting: unexpired(waiting, at: moment, name, &effects), polls: polls)
    case .vacant, .online, .gathering, .blocked: return
    }
  }

  /// Whether an entry's notification is still stored.
  func isStored(_ entry: ExpiryQueue.Entry) -> Bool {
    switch endpoints[entry.endpoint].line {
    case .offline(let stored), .polled(let stored, _): stored.contains { $0.notification.serial == entry.serial }
    case .vacant, .online, .gathering, .blocked: false
    }
  }

  /// Whether an entry's burst has not ended.
  func isGathering(_ entry: ExpiryQueue.Entry) -> Bool {
    switch endpoints[entry.endpoint].line {
    case .gathering(_, _, let burst): burst == entry.serial
    case .vacant, .offline, .online, .blocked, .polled: false
    }
  }

  /// Removes ended bursts from the head of their queue.
  mutating func dropStaleBursts() {
    while let first = bursts.first, !isGathering(first) { bursts.removeFirst() }
  }

  /// Removes obsolete entries from the head of the queue, and keeps its length below about twice the number of stored
  /// notifications.
  mutating func dropStaleExpiries() {
    while let first = expiries.first, !isStored(first) { expiries.removeFirst() }
    guard expiries.count > 2 * counters.stored + 64 else { return }
    var kept = ExpiryQueue()
    for entry in expiries.entries where isStored(entry) { kept.append(entry) }
    expiries = kept
  }
}
