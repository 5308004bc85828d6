import ZoneKitRecords

/// The web courier: a client asks for one notification at a time, and waits for it (CloudKit Web Services, f.2).
///
/// Notifications wait in the order in which they were made, and each answers one poll. A token is served by polls from its
/// first poll on, until its device connects to the push socket.
extension PushGateway {
  /// How long a poll waits for a notification, in milliseconds.
  package static let pollTime: Int64 = 45_000

  /// A poll for the next notification of a token arrived. It is answered at once if one waits. `poll` is a number that no
  /// other poll and no connection has. Refused if the token is not registered.
  package mutating func poll(_ poll: ConnectionID, token: String, at moment: Moment) -> [Effect] {
    guard let index = tokens[token] else {
      return [.refusePoll(poll, retired.contains(token) ? .unregistered : .badDeviceToken)]
    }
    var effects = Effects()
    var (waiting, polls) = queue(of: index, at: moment, &effects)
    if waiting.isEmpty {
      let due = moment.monotonic.advanced(byMilliseconds: Self.pollTime)
      polls.append(Endpoint.Poll(id: poll, due: due))
      connections[poll] = index
      pollDeadlines.append(ExpiryQueue.Entry(endpoint: index, serial: poll.number, due: due))
    } else {
      let next = waiting.removeFirst().notification
      counters.stored -= 1
      effects.add(.answerPoll(poll, next.payload(sentAt: moment.wall)))
      record(next, .delivered, [endpoints[index].name], &effects)
    }
    endpoints[index].line = .polled(waiting: waiting, polls: polls)
    endpoints[index].since = moment.wall
    dropStaleExpiries()
    return effects.all
  }

  /// What waits for a token, and its polls. If its device is connected to the push socket, that connection ends.
  private mutating func queue(
    of index: Int, at moment: Moment, _ effects: inout Effects
  ) -> (waiting: [Endpoint.Stored], polls: [Endpoint.Poll]) {
    let name = [endpoints[index].name]
    switch endpoints[index].line {
    case .vacant: return ([], [])
    case .offline(let stored): return (unexpired(stored, at: moment, name, &effects), [])
    case .polled(let waiting, let polls): return (unexpired(waiting, at: moment, name, &effects), polls)
    case .online(let connection), .gathering(let connection, _, _), .blocked(let connection, _):
      let held = takeWaiting(index, at: moment, &effects)
      connections[connection] = nil
      effects.add(.close(connection, .replaced))
      return (held.map { keep($0, for: index, at: moment, &effects) }, [])
    }
  }

  /// Answers polls with notifications, oldest first. What is left waits.
  mutating func answer(
    _ polls: [Endpoint.Poll], with notifications: [StoredNotification], behind waiting: [Endpoint.Stored],
    for member: Int, at moment: Moment, _ effects: inout Effects
  ) {
    var (waiting, polls) = (waiting, polls[...])
    let name = [endpoints[member].name]
    for notification in notifications {
      guard waiting.isEmpty, let poll = polls.popFirst() else {
        waiting.append(keep(notification, for: member, at: moment, &effects))
        continue
      }
      connections[poll.id] = nil
      effects.add(.answerPoll(poll.id, notification.payload(sentAt: moment.wall)))
      record(notification, .delivered, name, &effects)
    }
    while waiting.count > Self.queueLimit {
      counters.stored -= 1
      record(waiting.removeFirst().notification, .discarded(.overwritten), name, &effects)
    }
    endpoints[member].line = .polled(waiting: waiting, polls: Array(polls))
  }

  /// Answers the polls that have waited for their time, with nothing.
  mutating func endPolls(at moment: Moment, _ effects: inout Effects) {
    while let first = pollDeadlines.first, first.due <= moment.monotonic {
      pollDeadlines.removeFirst()
      let id = ConnectionID(first.serial)
      guard connections[id] == first.endpoint, case .polled(let waiting, var polls) = endpoints[first.endpoint].line,
        let place = polls.firstIndex(where: { $0.id == id })
      else { continue }
      polls.remove(at: place)
      connections[id] = nil
      endpoints[first.endpoint].line = .polled(waiting: waiting, polls: polls)
      effects.add(.answerPoll(id, nil))
    }
  }

  /// Answers all polls of a token with nothing.
  mutating func endPolls(_ polls: [Endpoint.Poll], _ effects: inout Effects) {
    for poll in polls {
      connections[poll.id] = nil
      effects.add(.answerPoll(poll.id, nil))
    }
  }
}
