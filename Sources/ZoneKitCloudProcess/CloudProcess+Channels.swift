import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The realtime sockets of the tables. `naming` adds the further names of devices to a subject of faults.
extension CloudProcess {
  /// The claims of a token, whose times are not judged, or why it is not one of this server.
  package typealias TokenVerifier = (_ token: String) -> ChannelServer.Verdict

  // MARK: Sockets

  /// A client asks for a socket with that key from that address. `key` is nil if it is not one of the server's own keys.
  package mutating func opening(
    key: String?, from address: String, device: String?, at now: Moment, naming: (FaultSubject) -> FaultSubject,
    using generator: inout some RandomNumberGenerator
  ) -> SocketOpening {
    if let wait = tables?.channels.admission.take(key: key, from: address, at: now.monotonic) {
      let refusal = ServiceRefusal(
        429, code: "over_request_rate_limit", "too many sockets were opened", retryAfter: wait)
      return .refuse(refusal, afterMilliseconds: 0)
    }
    let hits = hits(on: FaultSubject(.openSocket, deviceID: device), naming, using: &generator)
    let delay = hits?.delayMilliseconds ?? 0
    guard let hits, hits.applications == 0 || hits.losesAnswer else { return .open(afterMilliseconds: delay) }
    return .refuse(hits.losesAnswer ? nil : hits.refusal, afterMilliseconds: delay)
  }

  /// A socket was opened. `role` is what the client's key allows. `names` are those of its device: the one that it says,
  /// and the others by which it is known.
  package mutating func openSocket(
    _ role: AccountClaims.Role, device names: [String], at now: Moment
  ) -> (SocketID, [CloudProcessEffect])? {
    let key = AccountClaims(role: role, issuedAt: 0, expiresAt: .max)
    guard let id = tables?.channels.server.open(key: key, at: now) else { return nil }
    let device = CloudChannels.Device(names: names)
    tables?.channels.devices[id] = device
    return (id, [.channelFact(.opened(id, device: device.name))])
  }

  /// A part of a message, a ping or a pong arrived.
  package mutating func heard(on id: SocketID, at now: Moment) { tables?.channels.server.heard(on: id, at: now) }

  /// A message arrived; nil stands for one that cannot be read.
  package mutating func received(
    _ request: ChannelRequest?, on id: SocketID, at now: Moment, naming: (FaultSubject) -> FaultSubject,
    verify: TokenVerifier, using generator: inout some RandomNumberGenerator
  ) -> ChannelReception {
    guard tables != nil else { return ChannelReception() }
    guard var request else { return ChannelReception(effects: performed { $0.unreadable(on: id, at: now) }) }
    tables?.relations?.check(&request)
    let subject = faults.isEmpty ? nil : subject(of: request, on: id, verify)
    let hits = if let subject { self.hits(on: subject, naming, using: &generator) } else { RequestFaults?.none }
    let verdict = verdict(on: request, hits, at: now, verify)
    var reception = ChannelReception(faults: hits?.faults ?? [])
    switch hits?.socketFault {
    case nil: reception.effects = performed { $0.received(request, verdict: verdict, on: id, at: now) }
    case .silent?: _ = tables?.channels.server.received(request, verdict: verdict, on: id, at: now)
    case .deaf(let milliseconds)?:
      let until = now.monotonic.advanced(byMilliseconds: milliseconds)
      tables?.channels.faults.deafen(id, topic: request.topic, until: until)
      reception.effects = performed { $0.received(request, verdict: verdict, on: id, at: now) }
    case .refuse(let reason)?:
      let refusal = ChannelEffect.send(
        .refused(reason), topic: request.topic, joinRef: request.joinRef, ref: request.ref, to: id)
      reception.effects = performed { _ in [refusal] }
    case .cut(let code)?: reception.effects = cut(id, code: code)
    }
    return reception
  }

  /// A socket is gone. Returns what is left to the driver; nothing if it was gone already.
  package mutating func socketClosed(_ id: SocketID) -> [CloudProcessEffect] {
    guard let device = tables?.channels.devices.removeValue(forKey: id) else { return [] }
    tables?.channels.faults.closed(id)
    return [.channelFact(.closed(id, device: device.name))] + performed { $0.closed(id) }
  }

  /// When `tickChannels` has to be called next; nil if nothing is due.
  package var nextChannelDeadline: MonotonicTime? { tables?.channels.nextDeadline }

  /// Time has passed.
  package mutating func tickChannels(at now: Moment) -> [CloudProcessEffect] {
    let late = tables?.channels.takeLate(at: now.monotonic) ?? []
    return performed { $0.tick(at: now) } + late.flatMap { sent($0.change, $0.deliveries) }
  }

  /// Passes a broadcast that did not come over a socket to those who joined the topic.
  package mutating func pass(_ broadcast: ChannelBroadcast, topic: String) -> [CloudProcessEffect] {
    performed { $0.pass(broadcast, topic: topic) }
  }

  /// The channels of an account end, because it was removed.
  mutating func endChannels(of account: UUID) -> [CloudProcessEffect] { performed { $0.accountRemoved(account) } }

  // MARK: Changes

  /// Whether committed changes wait for a later turn to be told.
  package var hasUntoldChanges: Bool {
    (tables?.channels.untold.count ?? 0) > 0 || tables?.relations?.hasUntold == true
  }

  /// Tells the channels the committed changes, as far as faults let them pass. Changes beyond a bound follow in the next
  /// turns. It is called at the end of a turn, after the answers to those who wrote the rows.
  package mutating func tellChanges(
    at now: Moment, naming: (FaultSubject) -> FaultSubject, using generator: inout some RandomNumberGenerator
  ) -> [CloudProcessEffect] {
    guard let limits = tables?.channels.server.limits else { return [] }
    var effects: [CloudProcessEffect] = []
    if tables?.channels.faults.holdsEvents == true, !faults.swapsPushes, let passage = tables?.channels.faults.release()
    {
      effects += sent(passage, at: now)
    }
    var told = 0
    while told < limits.tellingsPerTurn || (tables?.channels.untold.count ?? 0) > limits.untoldChanges,
      let changes = tables?.channels.untold.next(limits.tellingsPerTurn / 10)
    { told += tell(changes, to: &effects, at: now, naming, using: &generator) }
    while told < limits.tellingsPerTurn, let event = nextRelationEvent(at: now.wall, using: &generator) {
      told += 1 + event.deliveries.count
      pass(event, users: [], to: &effects, at: now, naming, using: &generator)
    }
    return effects
  }

  /// Tells changes of an account's rows. Returns the number of changes and messages.
  private mutating func tell(
    _ changes: AccountChanges, to effects: inout [CloudProcessEffect], at now: Moment,
    _ naming: (FaultSubject) -> FaultSubject, using generator: inout some RandomNumberGenerator
  ) -> Int {
    var count = changes.changes.count
    for effect in tables?.channels.server.changed(changes.account, changes.changes) ?? [] {
      guard case .change(let change, let deliveries) = effect else { continue }
      count += deliveries.count
      let users = faults.isEmpty ? [] : tables?.users(changes.account) ?? []
      let event = EventFaults.Event(change, deliveries)
      pass(event, users: users, to: &effects, at: now, naming, using: &generator)
    }
    return count
  }

  /// Sends an event as far as faults let it pass. `users` are the names of the account whose row it is.
  private mutating func pass(
    _ event: EventFaults.Event, users: [Name], to effects: inout [CloudProcessEffect], at now: Moment,
    _ naming: (FaultSubject) -> FaultSubject, using generator: inout some RandomNumberGenerator
  ) {
    guard !event.deliveries.isEmpty else { return }
    guard !faults.isEmpty || tables?.channels.faults.isIdle == false else {
      effects += sent(event.change, event.deliveries)
      return
    }
    let hits = hits(on: FaultSubject(event.change, users: users), naming, using: &generator)
    var struck: [PushFault?] = []
    for delivery in event.deliveries {
      let fault = fault(of: event.change, to: delivery, users, naming, using: &generator)
      if let fault { effects.append(.channelFact(disturbed(event.change, delivery, fault))) }
      struck.append(fault)
    }
    var next = struck.makeIterator()
    guard let passage = tables?.channels.faults.pass(event, hits, at: now.monotonic, { _ in next.next() ?? nil })
    else { return }
    effects += sent(passage, at: now)
  }

  /// The changes whose events to a socket faults hold back at that time.
  package func heldEvents(for socket: SocketID, at now: MonotonicTime) -> [ChannelEvent] {
    tables?.channels.faults.held(for: socket, at: now) ?? []
  }

  /// The joined channels in the order of their sockets and topics, with the number of entries and the account of each.
  package var channelPlaces: [(socket: SocketID, topic: String, entries: Int, account: UUID?)] {
    guard let server = tables?.channels.server else { return [] }
    return server.places.map { ($0.socket, $0.topic, $0.entries, server.account(of: $0.topic, on: $0.socket)) }
  }

  /// The account of a joined channel; nil if there is none.
  package func account(of topic: String, on socket: SocketID) -> UUID? {
    tables?.channels.server.account(of: topic, on: socket)
  }

  /// The limits of the sockets.
  package var channelLimits: ChannelLimits { tables?.channels.server.limits ?? ChannelLimits() }

  // MARK: Faults

  /// What the plan does to a subject; nil for nothing.
  mutating func hits(
    on subject: FaultSubject, _ naming: (FaultSubject) -> FaultSubject,
    using generator: inout some RandomNumberGenerator
  ) -> RequestFaults? {
    guard !faults.isEmpty else { return nil }
    return faults.faults(on: naming(subject), using: &generator)
  }

  /// What faults look at in a message. It is sent by the account of its token.
  private func subject(of request: ChannelRequest, on id: SocketID, _ verify: TokenVerifier) -> FaultSubject? {
    let claims = request.token.flatMap { try? verify($0).get() }
    var subject = FaultSubject(request, users: tables?.users(claims?.account) ?? [])
    subject?.devices = tables?.channels.devices[id]?.names ?? []
    return subject
  }

  /// The verdict on the token in a message; nil if there is none, or one of the vendor's newer keys, which clients send
  /// instead of a token.
  private func verdict(
    on request: ChannelRequest, _ hits: RequestFaults?, at now: Moment, _ verify: TokenVerifier
  ) -> ChannelServer.Verdict? {
    guard let token = request.token, !token.isEmpty, !token.hasPrefix("sb_") else { return nil }
    if hits?.contains(.expireTokens) == true { return .failure(.expired(seconds: 0)) }
    let judged = now.wall.advanced(byMilliseconds: hits?.tokenSkew ?? 0)
    return verify(token).flatMap { claims in
      switch problem(of: claims, at: judged) {
      case nil: .success(claims)
      case .token(let problem)?: .failure(problem)
      case .unavailable?: .failure(.claims("the accounts cannot be read"))
      }
    }
  }

  private mutating func fault(
    of change: ChannelChange, to delivery: ChannelDelivery, _ users: [Name], _ naming: (FaultSubject) -> FaultSubject,
    using generator: inout some RandomNumberGenerator
  ) -> PushFault? {
    guard !faults.isEmpty else { return nil }
    let way = FaultSubject.Delivery(
      to: tables?.channels.devices[delivery.socket]?.names ?? [], from: author(of: change).map { [$0] } ?? [],
      topic: delivery.topic)
    return faults.pushFault(on: naming(FaultSubject(change, users: users, way)), using: &generator)
  }

  // MARK: Effects

  /// Lets the channels do something. Returns what is left to the driver.
  private mutating func performed(_ act: (inout ChannelServer) -> [ChannelEffect]) -> [CloudProcessEffect] {
    (tables?.channels.act(act) ?? []).flatMap { carriedOut($0) }
  }

  private mutating func carriedOut(_ effect: ChannelEffect) -> [CloudProcessEffect] {
    switch effect {
    case .send(let answer, let topic, _, _, let id):
      return [fact(of: answer, topic: topic, on: id).map { .channelFact($0) }, .channel(effect)].compactMap(\.self)
    case .close(let id, _): return [.channel(effect)] + socketClosed(id)
    case .tell, .change, .cut: return [.channel(effect)]
    }
  }

  /// The fact of an answer that begins, refuses or ends a channel; nil for another one.
  private func fact(of answer: ChannelAnswer, topic: String, on id: SocketID) -> ChannelServerFact? {
    let device = tables?.channels.devices[id]?.name
    switch answer {
    case .joined(let entries):
      let account = tables?.channels.server.account(of: topic, on: id)
      return .joined(
        topic: topic, entries: entries.count, account: account.flatMap { tables?.users($0).last?.text }, device: device)
    case .refused(let reason): return .refused(topic: topic, reason: reason, device: device)
    case .closed: return .left(topic: topic, device: device)
    default: return nil
    }
  }

  /// Sends the event of a change.
  private func sent(_ change: ChannelChange, _ deliveries: [ChannelDelivery]) -> [CloudProcessEffect] {
    let devices = deliveries.compactMap { tables?.channels.devices[$0.socket]?.name }
    return [
      .channelFact(
        .sent(
          table: change.table, record: change.recordName, change.kind, channels: deliveries.count,
          devices: devices, author: author(of: change))), .channel(.change(change, deliveries)),
    ]
  }

  /// Sends what faults left of events.
  private mutating func sent(_ passage: EventFaults.Passage, at now: Moment) -> [CloudProcessEffect] {
    var effects = passage.dropped.map { CloudProcessEffect.dropped($0) }
    for event in passage.events {
      if event.delay > 0 {
        tables?.channels.delay(event, until: now.monotonic.advanced(byMilliseconds: event.delay))
      } else {
        effects += sent(event.change, event.deliveries)
      }
    }
    for (id, code) in passage.cuts.sorted(by: { $0.key < $1.key }) { effects += cut(id, code: code) }
    return effects
  }

  private func disturbed(_ change: ChannelChange, _ delivery: ChannelDelivery, _ fault: PushFault) -> ChannelServerFact
  {
    .disturbed(
      table: change.table, record: change.recordName, topic: delivery.topic,
      device: tables?.channels.devices[delivery.socket]?.name, fault)
  }

  /// The device that wrote the row of a change; nil if the row names none.
  private func author(of change: ChannelChange) -> String? {
    guard case .row(let change) = change else { return nil }
    return tables?.app.schema.table(change.table).flatMap { change.author(in: $0) }
  }

  /// Ends a socket with that code, or without a word.
  private mutating func cut(_ id: SocketID, code: Int?) -> [CloudProcessEffect] {
    let end = code.map { ChannelEffect.close(id, code: UInt16(clamping: $0)) } ?? .cut(id)
    return [.channel(end)] + socketClosed(id)
  }
}
