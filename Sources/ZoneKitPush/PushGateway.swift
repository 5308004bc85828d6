import ZoneKitRecords

/// The push service. It makes notifications of the cloud's notices and delivers them to devices, or reports why not.
///
/// It promises no more than APNs does (sync semantics, 2.3): best effort, and one stored notification for a device that
/// is not connected. Each notification ends as coalesced, delivered or discarded, and is stored or held until then.
/// `counters` always adds up.
///
/// The driver carries out effects in the order returned. After `close` it passes no more events of that connection.
package struct PushGateway: Sendable {
  /// The settings of the service.
  package let policy: Policy
  /// The outcomes of all notifications so far.
  package internal(set) var counters = Counters()

  /// The registrations and watchers, by number. Numbers of removed ones are used again.
  var endpoints: [Endpoint] = []
  var vacancies: [Int] = []
  var tokens: [String: Int] = [:]
  var connections: [ConnectionID: Int] = [:]
  var directory = Directory()
  var expiries = ExpiryQueue()
  /// The times at which bursts end. An entry's serial is that of the burst.
  var bursts = ExpiryQueue()
  /// The times at which polls are answered without a notification. An entry's serial is the number of the poll.
  var pollDeadlines = ExpiryQueue()
  var retired = RetiredTokens()
  var turn = Turn()
  var lastSerial: UInt64 = 0
  private var lastRegistration: UInt64 = 0

  /// A push service without registrations.
  package init(policy: Policy = Policy()) { self.policy = policy }

  /// When `expire` has something to do next; nil if nothing is stored, collected or polled.
  package var nextDeadline: MonotonicTime? {
    [expiries.first?.due, bursts.first?.due, pollDeadlines.first?.due].compactMap { $0 }.min()
  }

  // MARK: Registrations

  /// The most tokens of an account in a container and environment. A further one invalidates the one that was registered
  /// longest ago, so that the cost of a write and the memory stay bounded.
  package static let tokensPerAccount = 200

  /// The user to whom a token belongs: the one who registered it first. Nil if it is not registered.
  package func owner(of token: String) -> Name? {
    tokens[token].flatMap { endpoints[$0].memberships.first }.map { directory.audience(of: $0).user }
  }

  /// Registers a token for an account (CloudKit Web Services, f.1). Does nothing if the token belongs to another user.
  /// The account's oldest tokens beyond the limit become invalid. So do the device's older ones, if the policy demands
  /// it. Neither happens if `isRestored`, because registrations that were kept over a restart arrive in any order. With
  /// `mayPoll` all notifications are stored until the first connection, because its client may be one that polls.
  package mutating func register(
    _ registration: PushRegistration, for account: Account, isRestored: Bool = false, mayPoll: Bool = false
  ) -> [Effect] {
    if let owner = owner(of: registration.token), owner != account.user { return [] }
    var effects = Effects()
    let audience = Audience(account)
    let index = tokens[registration.token] ?? addEndpoint(for: registration, mayPoll: mayPoll)
    lastRegistration += 1
    endpoints[index].registration = lastRegistration
    endpoints[index].device = registration.deviceID
    if let device = registration.deviceID, connection(of: index) == nil { endpoints[index].name = device }
    let audiences = endpoints[index].memberships.map { directory.audience(of: $0) }
    if !audiences.contains(audience) { endpoints[index].memberships.append(directory.enter(index, audience)) }
    effects.note(.registered(device: endpoints[index].name, account: account))
    if !isRestored { retireTokens(replacedBy: index, for: account, &effects) }
    return effects.all
  }

  /// Unregisters a token: closes its connection and discards what is stored for it. Does nothing for an unknown token.
  package mutating func unregister(token: String) -> [Effect] {
    guard let index = tokens[token] else { return [] }
    var effects = Effects()
    effects.note(.unregistered(device: endpoints[index].name))
    end(token, of: index, &effects)
    return effects.all
  }

  /// Invalidates the account's other tokens of the same device, if the policy demands it, and those beyond the limit.
  private mutating func retireTokens(replacedBy index: Int, for account: Account, _ effects: inout Effects) {
    let others = directory.members(of: Audience(account)).filter { $0 != index && endpoints[$0].token != nil }
    let device = policy.retiresReplacedTokens ? endpoints[index].device : nil
    var retired = others.filter { device != nil && endpoints[$0].device == device }
    let kept = others.filter { !retired.contains($0) }.sorted {
      endpoints[$0].registration < endpoints[$1].registration
    }
    retired += kept.prefix(max(0, kept.count + 1 - Self.tokensPerAccount))
    for older in retired {
      guard let token = endpoints[older].token else { continue }
      effects.note(.retired(device: endpoints[older].name, token: token, account: account))
      end(token, of: older, &effects)
    }
  }

  private mutating func end(_ token: String, of index: Int, _ effects: inout Effects) {
    if let connection = connection(of: index) {
      connections[connection] = nil
      effects.add(.close(connection, .unregistered))
    }
    remove(index, because: .tokenNotActive, &effects)
    if policy.retiresReplacedTokens { retired.insert(token) }
  }

  private mutating func addEndpoint(for registration: PushRegistration, mayPoll: Bool) -> Int {
    let index = settle(
      Endpoint(
        token: registration.token, device: registration.deviceID,
        name: registration.deviceID ?? registration.shortToken,
        line: .offline(stored: []), mayPoll: mayPoll))
    tokens[registration.token] = index
    counters.registrations += 1
    return index
  }

  // MARK: Connections

  /// A device's hello arrived. The device is welcomed and gets what is stored for it. A newer connection replaces an
  /// older one with the same token. An unknown token is refused.
  package mutating func hello(
    _ connection: ConnectionID, token: String, device: String, at moment: Moment
  ) -> [Effect] {
    guard connections[connection] == nil else { return lineReceived(connection, at: moment) }
    guard let index = tokens[token] else {
      return refuse(connection, retired.contains(token) ? .unregistered : .badDeviceToken)
    }
    var effects = Effects()
    let waiting = takeWaiting(index, at: moment, &effects)
    if let older = self.connection(of: index) {
      connections[older] = nil
      effects.add(.close(older, .replaced))
    }
    endpoints[index].name = device
    endpoints[index].line = .online(connection)
    endpoints[index].mayPoll = false
    endpoints[index].since = moment.wall
    connections[connection] = index
    effects.add(.welcome(connection, device: device, stored: waiting.count))
    effects.note(.connected(device: device, watches: false))
    pass(waiting, to: [index], at: moment, &effects)
    return effects.all
  }

  /// The hello of a watcher arrived, which has no registered token (push socket, open mode). It is registered for the
  /// time of its connection and gets notifications of all changes of the account, also of those without a subscription,
  /// in the given container and environment or in any. Changes of the watcher's own device are left out. Refused unless
  /// the policy is open.
  package mutating func watch(
    _ connection: ConnectionID, user: Name, device: String? = nil, container: Name? = nil,
    environment: Environment? = nil,
    at moment: Moment
  ) -> [Effect] {
    guard connections[connection] == nil else { return lineReceived(connection, at: moment) }
    guard policy.isOpen else { return refuse(connection, .forbidden) }
    let name = device ?? "a watcher of \(user)"
    let index = settle(Endpoint(token: nil, device: device, name: name, line: .online(connection)))
    let audience = Audience(user: user, container: container, environment: environment)
    endpoints[index].memberships.append(directory.enter(index, audience))
    endpoints[index].since = moment.wall
    connections[connection] = index
    counters.watchers += 1
    return [
      .welcome(connection, device: device, stored: 0), .fact(.connected(device: name, watches: true)),
    ]
  }

  /// A connected device sent a line after its hello. Such a line has no meaning, so the connection is closed.
  package mutating func lineReceived(_ connection: ConnectionID, at moment: Moment) -> [Effect] {
    guard connections[connection] != nil else { return [] }
    return [.close(connection, .unexpectedInput)] + closed(connection, at: moment)
  }

  /// A connection was closed by either side. What was held for it is stored if its token is registered.
  package mutating func closed(_ connection: ConnectionID, at moment: Moment) -> [Effect] {
    guard let index = connections.removeValue(forKey: connection) else { return [] }
    if case .polled(let waiting, let polls) = endpoints[index].line {
      endpoints[index].line = .polled(waiting: waiting, polls: polls.filter { $0.id != connection })
      return []
    }
    var effects = Effects()
    effects.note(.disconnected(device: endpoints[index].name))
    if endpoints[index].token == nil {
      remove(index, because: .deviceOffline, &effects)
    } else {
      let held = takeWaiting(index, at: moment, &effects)
      endpoints[index].line = .offline(stored: [])
      endpoints[index].since = moment.wall
      pass(held, to: [index], at: moment, &effects)
    }
    return effects.all
  }

  /// A connection has reached the driver's limit of unsent bytes. From now on notifications are held.
  package mutating func blocked(_ connection: ConnectionID) {
    guard let index = connections[connection] else { return }
    switch endpoints[index].line {
    case .online: endpoints[index].line = .blocked(connection, held: [])
    case .gathering(_, let held, _):
      endpoints[index].line = .blocked(connection, held: held)
      dropStaleBursts()
    case .blocked, .offline, .vacant, .polled: return
    }
  }

  /// The unsent bytes of a connection were sent. What was held for it is sent.
  package mutating func drained(_ connection: ConnectionID, at moment: Moment) -> [Effect] {
    guard let index = connections[connection] else { return [] }
    switch endpoints[index].line {
    case .vacant, .offline, .online, .gathering, .polled: return []
    case .blocked: break
    }
    var effects = Effects()
    let held = takeWaiting(index, at: moment, &effects)
    endpoints[index].line = .online(connection)
    pass(held, to: [index], at: moment, &effects)
    return effects.all
  }

  private func refuse(_ connection: ConnectionID, _ reason: CloseReason) -> [Effect] {
    [.close(connection, reason), .fact(.refused(reason))]
  }
}
