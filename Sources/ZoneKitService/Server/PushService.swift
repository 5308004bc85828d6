import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitWire

/// The push socket: lines become the gateway's events, its effects become lines.
final class PushService {
  /// Unsent bytes of one connection beyond which its notifications are held back.
  static let backlogLimit = 256 * 1024

  private(set) var gateway: PushGateway
  private let clock: SystemClock
  private let loop: Loop
  private let onFact: (PushFact) -> Void
  private var connections: [PushGateway.ConnectionID: Line] = [:]
  private var lastConnection: UInt64 = 0
  /// The lines of this turn, by the notification's ID and subscription.
  private var lines: [String: (notification: PushNotification, line: [UInt8])] = [:]
  private var generator = SystemRandomNumberGenerator()
  private lazy var expiry = Timer(on: loop) { [unowned self] in self.expire() }

  /// One subscriber's connection.
  private struct Line {
    let stream: Connection
    var reader: LineReader
    var isBlocked = false
  }

  /// A push socket without connections; `onFact` gets everything that the gateway reports.
  init(
    policy: PushGateway.Policy, clock: SystemClock, loop: Loop, onFact: @escaping (PushFact) -> Void
  ) {
    gateway = PushGateway(policy: policy)
    self.clock = clock
    self.loop = loop
    self.onFact = onFact
  }

  // MARK: The cloud's side

  /// A token that ended because its device registered another one, and where its registration is kept.
  struct RetiredToken: Hashable {
    let token: String
    let database: DatabaseID
  }

  /// Makes a registration known; returns the tokens that end because of it.
  @discardableResult
  func register(_ registration: PushRegistration, in database: DatabaseID) -> [RetiredToken] {
    let effects = gateway.register(registration, for: PushGateway.Account(database))
    perform(effects)
    return effects.compactMap { effect in
      guard case .fact(.retired(_, let token, let account)) = effect else { return nil }
      return RetiredToken(token: token, database: account.database)
    }
  }

  /// Makes a registration known that was kept over a restart.
  func restore(_ registration: PushRegistration, in database: DatabaseID) {
    perform(gateway.register(registration, for: PushGateway.Account(database), isRestored: true))
  }

  func unregister(token: String) { perform(gateway.unregister(token: token)) }

  func notify(_ notice: Notice) { gateway.notify(notice, using: &generator) }

  /// Sends what this turn's notices led to.
  func endTurn() {
    perform(gateway.endTurn(at: clock.now) { line(of: $0).count - 1 })
    lines.removeAll(keepingCapacity: true)
  }

  // MARK: The subscribers' side

  func accept(_ stream: Connection) {
    lastConnection += 1
    let id = PushGateway.ConnectionID(lastConnection)
    connections[id] = Line(stream: stream, reader: LineReader())
    stream.onRead = { [unowned self] bytes in self.received(bytes, from: id) }
    stream.onDrained = { [unowned self] in self.drained(id) }
    stream.onClose = { [unowned self] _ in self.closed(id) }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, from id: PushGateway.ConnectionID) {
    connections[id]?.reader.append(bytes)
    do {
      while let line = try connections[id]?.reader.next() { received(try PushHello(line: line), from: id) }
    } catch {
      refuse(id, because: error)
    }
  }

  private func received(_ hello: PushHello, from id: PushGateway.ConnectionID) {
    switch hello {
    case .token(let token, let device):
      perform(gateway.hello(id, token: token, device: device, at: clock.now))
    case .watch(let user, let device, let container, let environment):
      perform(
        gateway.watch(
          id, user: user, device: device, container: container, environment: environment, at: clock.now))
    }
  }

  /// What cannot be read ends the connection; whether it came before the hello or behind it makes no difference.
  private func refuse(_ id: PushGateway.ConnectionID, because error: PushLineError) {
    guard let line = connections[id] else { return }
    line.stream.write(PushLine.error(reason: "BadMessage", message: error.message).line)
    end(id)
    perform(gateway.closed(id, at: clock.now))
  }

  private func drained(_ id: PushGateway.ConnectionID) {
    guard connections[id]?.isBlocked == true else { return }
    connections[id]?.isBlocked = false
    perform(gateway.drained(id, at: clock.now))
  }

  private func closed(_ id: PushGateway.ConnectionID) {
    guard connections.removeValue(forKey: id) != nil else { return }
    perform(gateway.closed(id, at: clock.now))
  }

  private func end(_ id: PushGateway.ConnectionID) {
    connections.removeValue(forKey: id)?.stream.shutdownAfterWrites()
  }

  private func expire() { perform(gateway.expire(at: clock.now)) }

  // MARK: Effects

  private func perform(_ effects: [PushGateway.Effect]) {
    for effect in effects { perform(effect) }
    guard let due = gateway.nextDeadline else { return expiry.cancel() }
    expiry.schedule(at: due.milliseconds)
  }

  private func perform(_ effect: PushGateway.Effect) {
    switch effect {
    case .welcome(let id, let device, let stored):
      connections[id]?.stream.write(PushLine.welcome(device: device, stored: stored).line)
    case .send(let ids, let notifications):
      send(notifications, to: ids)
    case .close(let id, let reason):
      connections[id]?.stream.write(PushLine.error(reason: reason.rawValue, message: reason.message).line)
      end(id)
    case .fact(let fact): onFact(fact)
    }
  }

  /// The line of a notification; one that was encoded to be measured in this turn is not encoded again to be sent.
  private func line(of notification: PushNotification) -> [UInt8] {
    let key = "\(notification.notificationID ?? "") \(notification.subscriptionID ?? "")"
    if let known = lines[key], known.notification == notification { return known.line }
    let line = PushLine.notification(notification).line
    lines[key] = (notification, line)
    return line
  }

  /// All frames of a turn for one subscriber go out in one write, and the same bytes to all who get the same.
  private func send(_ notifications: [PushNotification], to ids: [PushGateway.ConnectionID]) {
    var frames: [UInt8] = []
    for notification in notifications { frames += line(of: notification) }
    for id in ids {
      guard let line = connections[id] else { continue }
      line.stream.write(frames)
      if line.stream.queuedBytes > Self.backlogLimit {
        connections[id]?.isBlocked = true
        gateway.blocked(id)
      }
    }
  }
}

extension PushGateway.Account {
  /// The account that a database belongs to.
  init(_ database: DatabaseID) {
    self.init(container: database.container, environment: database.environment, user: database.user)
  }

  /// The database with which the account's registrations are kept.
  fileprivate var database: DatabaseID {
    DatabaseID(container: container, environment: environment, user: user, scope: .private)
  }
}
