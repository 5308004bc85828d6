import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitWire

/// The push socket. It converts lines to events of the push service, and the service's instructions to lines.
final class PushService {
  /// The number of unsent bytes of a connection above which its notifications are held back.
  static let backlogLimit = 64 * 1024
  /// How long a connection may take for its hello, and for the rest of a line that it began, in milliseconds. After the
  /// hello it may be silent for any time.
  static let lineTime: Int64 = 10_000

  private let host: any PushHost
  private let clock: SystemClock
  private let loop: Loop
  private let onFact: (PushFact) -> Void
  private var connections: [PushGateway.ConnectionID: Line] = [:]
  private var lastConnection: UInt64 = 0
  /// The polls that wait for a notification.
  private var polls: [PushGateway.ConnectionID: Poll] = [:]
  /// The encoded notifications of this turn, by notification ID and subscription.
  private var lines: [String: (notification: PushNotification, line: [UInt8])] = [:]
  /// When the time limits were checked last.
  private var checkedAt: Int64 = 0
  private lazy var sweep = Timer(on: loop) { [unowned self] in self.checkTimeLimits() }
  private lazy var expiry = Timer(on: loop) { [unowned self] in self.expire() }

  /// The number of notifications that had a fault.
  private(set) var disturbed = 0
  /// The notifications that faults dropped, by the name of their receiver.
  private var drops: [String: FaultDrops] = [:]
  /// The fault of the last notification that had one.
  private var lastFault: PushFault?
  private var pushFaults = PushFaults<PushGateway.ConnectionID, PushNotification>()

  /// A poll of the web courier.
  private struct Poll {
    let token: String
    /// Called once with the payload; with an empty one if there was no notification.
    let answer: ([UInt8]) -> Void
    /// Called once if the token is not served.
    let refuse: (PushGateway.CloseReason) -> Void
  }

  /// The connection of one subscriber.
  private struct Line {
    let stream: Connection
    var reader: LineReader
    var isBlocked = false
    /// Since when the hello, or the rest of a line, is awaited, in milliseconds; nil if neither is.
    var awaitedSince: Int64?
    var isGreeted = false
  }

  /// A push socket without connections. `onFact` is called with everything that the push service reports.
  init(of host: any PushHost, clock: SystemClock, loop: Loop, onFact: @escaping (PushFact) -> Void) {
    self.host = host
    self.clock = clock
    self.loop = loop
    self.onFact = onFact
    host.onPushes = { [unowned self] in self.perform($0) }
  }

  /// The push service as it is now.
  var gateway: PushGateway { host.gateway }

  /// The number of open connections.
  var connectionCount: Int { connections.count }

  // MARK: The cloud's side

  /// Sends the notifications of this turn.
  func endTurn() {
    perform(host.sendPushes { line(of: $0).count - 1 })
    if !pushFaults.isEmpty, !host.swapsPushes {
      for (id, notification) in pushFaults.release() { write([notification], to: [id]) }
    }
    lines.removeAll(keepingCapacity: true)
  }

  /// The notifications to a receiver that faults hold back.
  func held(for receiver: PushGateway.Receiver) -> [PushNotification] {
    receiver.connection.map { pushFaults.held(for: $0, at: clock.now.monotonic) } ?? []
  }

  /// The notifications to a receiver that faults dropped.
  func drops(for receiver: PushGateway.Receiver) -> FaultDrops { drops[receiver.name] ?? FaultDrops() }

  /// Delivers a notification by hand to a device, or to a push token. Returns what happened to it at each receiver; nil if
  /// there is none of that name.
  func deliver(_ notification: PushNotification, to name: String) -> [(result: DeliveryResult, fault: PushFault?)]? {
    guard let effects = host.withGateway({ $0.deliver(notification, toDevice: name, at: clock.now) }) else {
      return nil
    }
    let before = lastFault
    lastFault = nil
    perform(effects)
    let fault = lastFault
    lastFault = before
    let results = effects.compactMap { effect in
      if case .fact(.handled(let result)) = effect { result } else { nil }
    }
    // An older notification that this one replaces is discarded too.
    let kept = results.filter { if case .discarded = $0.outcome { false } else { true } }
    return (kept.isEmpty ? results : kept).map { ($0, $0.outcome == .delivered ? fault : nil) }
  }

  // MARK: The web courier

  /// A poll for the next notification of a token arrived. One of the functions is called once, now or later; none after
  /// `giveUp` with the returned number.
  func poll(
    _ token: String, answer: @escaping ([UInt8]) -> Void, refuse: @escaping (PushGateway.CloseReason) -> Void
  ) -> PushGateway.ConnectionID {
    lastConnection += 1
    let id = PushGateway.ConnectionID(lastConnection)
    polls[id] = Poll(token: token, answer: answer, refuse: refuse)
    perform(host.withGateway { $0.poll(id, token: token, at: clock.now) })
    return id
  }

  /// The client of a poll waits no longer.
  func giveUp(_ id: PushGateway.ConnectionID) {
    guard polls.removeValue(forKey: id) != nil else { return }
    perform(host.withGateway { $0.closed(id, at: clock.now) })
  }

  /// Answers a poll as far as faults let the notification pass. After a dropped notification the poll waits for the next one.
  /// A poll has one answer, so a notification is neither doubled nor swapped.
  private func answer(_ id: PushGateway.ConnectionID, _ notification: PushNotification?) {
    guard let poll = polls.removeValue(forKey: id) else { return }
    guard let notification else { return poll.answer([]) }
    let fault = gateway.owner(of: poll.token).flatMap { self.fault(on: notification, to: poll.token, of: $0) }
    var payload: [UInt8] = []
    payload.append(payload: fault?.altered(notification) ?? notification)
    switch fault {
    case .drop:
      polls[id] = poll
      perform(host.withGateway { $0.poll(id, token: poll.token, at: clock.now) })
    case .delay(let milliseconds): host.delay(milliseconds: milliseconds) { poll.answer(payload) }
    case .duplicate, .swap, .withoutID, .prune, .misaddress, nil: poll.answer(payload)
    }
  }

  private func fault(on notification: PushNotification, to token: String, of owner: Name) -> PushFault? {
    guard host.hasFaults else { return nil }
    let device = gateway.receivers.first { $0.token == token }
    let names = [device?.name, device?.deviceID, token].compactMap(\.self)
    let delivery = FaultSubject.Delivery(
      to: names, from: notification.originDeviceID.map { [$0] } ?? [], subscriptionID: notification.subscriptionID)
    let fault = host.pushFault(on: FaultSubject(notification, to: [owner], delivery))
    guard let fault else { return nil }
    disturbed += 1
    onFact(.disturbed(device: names[0], notificationID: notification.notificationID, fault))
    if case .drop = fault { drops[names[0], default: FaultDrops()].add(clock.now.wall) }
    return fault
  }

  // MARK: The subscribers' side

  func accept(_ stream: Connection) {
    lastConnection += 1
    let id = PushGateway.ConnectionID(lastConnection)
    connections[id] = Line(stream: stream, reader: LineReader(), awaitedSince: loop.now)
    watch()
    stream.onRead = { [unowned self] bytes in self.received(bytes, from: id) }
    stream.onDrained = { [unowned self] in self.drained(id) }
    stream.onClose = { [unowned self] _ in self.closed(id) }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, from id: PushGateway.ConnectionID) {
    connections[id]?.reader.append(bytes)
    do {
      while let line = try connections[id]?.reader.next() { received(try PushHello(line: line), from: id) }
    } catch {
      return refuse(id, because: error)
    }
    guard let line = connections[id], line.isGreeted else { return }
    connections[id]?.awaitedSince = line.reader.isWithinLine ? line.awaitedSince ?? loop.now : nil
    if line.reader.isWithinLine { watch() }
  }

  private func watch() {
    guard !sweep.isScheduled else { return }
    checkedAt = loop.now
    sweep.schedule(after: HTTPTimeLimits.step)
  }

  private func checkTimeLimits() {
    checkTimeLimits(at: loop.now)
    if connections.values.contains(where: { $0.awaitedSince != nil }) { watch() }
  }

  /// Closes the connections that have taken too long for a line.
  func checkTimeLimits(at now: Int64) {
    defer { checkedAt = now }
    // After a suspension of this process, what arrived in the meantime was not read yet.
    let isLate = now - checkedAt > HTTPTimeLimits.lateStep
    for (id, line) in connections {
      if isLate, line.awaitedSince != nil { connections[id]?.awaitedSince = now }
      guard !isLate, let since = line.awaitedSince, now - since >= Self.lineTime else { continue }
      let what = line.isGreeted ? "the rest of the line" : "a hello"
      refuse(id, because: PushLineError("expected \(what) within \(Self.lineTime / 1_000) s, found none"))
    }
  }

  private func received(_ hello: PushHello, from id: PushGateway.ConnectionID) {
    connections[id]?.isGreeted = true
    switch hello {
    case .token(let token, let device):
      perform(host.withGateway { $0.hello(id, token: token, device: device, at: clock.now) })
    case .watch(let user, let device, let container, let environment):
      perform(
        host.withGateway {
          $0.watch(id, user: user, device: device, container: container, environment: environment, at: clock.now)
        })
    }
  }

  /// Closes a connection because of a line that cannot be parsed, before or after the hello.
  private func refuse(_ id: PushGateway.ConnectionID, because error: PushLineError) {
    guard let line = connections[id] else { return }
    line.stream.write(PushLine.error(reason: "BadMessage", message: error.message).line)
    end(id)
    perform(host.withGateway { $0.closed(id, at: clock.now) })
  }

  private func drained(_ id: PushGateway.ConnectionID) {
    guard connections[id]?.isBlocked == true else { return }
    connections[id]?.isBlocked = false
    perform(host.withGateway { $0.drained(id, at: clock.now) })
  }

  private func closed(_ id: PushGateway.ConnectionID) {
    guard connections.removeValue(forKey: id) != nil else { return }
    _ = pushFaults.gone(id)
    perform(host.withGateway { $0.closed(id, at: clock.now) })
  }

  private func end(_ id: PushGateway.ConnectionID) {
    _ = pushFaults.gone(id)
    connections.removeValue(forKey: id)?.stream.shutdownAfterWrites()
  }

  private func expire() { perform(host.withGateway { $0.expire(at: clock.now) }) }

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
    case .answerPoll(let id, let notification): answer(id, notification)
    case .refusePoll(let id, let reason): polls.removeValue(forKey: id)?.refuse(reason)
    case .fact(let fact): onFact(fact)
    }
  }

  /// The line of a notification. A notification that was encoded in this turn to measure it is not encoded again.
  private func line(of notification: PushNotification) -> [UInt8] {
    let key = "\(notification.notificationID ?? "") \(notification.subscriptionID ?? "")"
    if let known = lines[key], known.notification == notification { return known.line }
    let line = PushLine.notification(notification).line
    lines[key] = (notification, line)
    return line
  }

  /// Sends notifications to connections, as far as faults let them pass.
  private func send(_ notifications: [PushNotification], to ids: [PushGateway.ConnectionID]) {
    guard host.hasFaults || !pushFaults.isEmpty else { return write(notifications, to: ids) }
    for id in ids {
      for notification in notifications { pass(notification, to: id) }
    }
  }

  private func pass(_ notification: PushNotification, to id: PushGateway.ConnectionID) {
    guard let recipient = gateway.recipient(of: id) else { return write([notification], to: [id]) }
    let delivery = FaultSubject.Delivery(
      to: recipient.names, from: notification.originDeviceID.map { [$0] } ?? [],
      subscriptionID: notification.subscriptionID)
    let fault = host.pushFault(on: FaultSubject(notification, to: recipient.users, delivery))
    if let fault {
      disturbed += 1
      lastFault = fault
      onFact(.disturbed(device: recipient.names[0], notificationID: notification.notificationID, fault))
    }
    for (message, passage) in pushFaults.pass(notification, to: id, fault, at: clock.now.monotonic) {
      switch passage {
      case .passed: write([message], to: [id])
      case .dropped: drops[recipient.names[0], default: FaultDrops()].add(clock.now.wall)
      case .late(let milliseconds):
        host.delay(milliseconds: milliseconds) { [weak self] in self?.write([message], to: [id]) }
      }
    }
  }

  /// Writes notifications to connections. All lines of a turn for one subscriber are sent in one write. Subscribers with
  /// the same notifications share the bytes.
  private func write(_ notifications: [PushNotification], to ids: [PushGateway.ConnectionID]) {
    var frames: [UInt8] = []
    for notification in notifications { frames += line(of: notification) }
    for id in ids {
      guard let line = connections[id] else { continue }
      line.stream.write(frames)
      if line.stream.queuedBytes > Self.backlogLimit {
        connections[id]?.isBlocked = true
        host.withGateway { $0.blocked(id) }
      }
    }
  }
}
