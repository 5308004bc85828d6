import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWebSocket
import ZoneKitWire

/// The realtime sockets of a server. The machine decides who gets what; the service frames and sends it.
final class RealtimeService {
  /// The bytes that are read from all sockets in a turn. Then the others, and those who send more, wait for the next turn.
  private static let bytesPerTurn = 1 << 20

  /// Decides about keys and tokens.
  private let access: TableAccess
  private let schema: TableSchema
  private let reader: ChannelRequestReader
  private var channels: ChannelServer
  private var admission = SocketAdmission()
  /// The faults of sockets, messages and events.
  let faults: TableFaults
  private var eventFaults = EventFaults()
  private var sockets: [SocketID: RealtimeSocket] = [:]
  /// The committed changes that were not told yet.
  private var untold = ChangeBacklog()
  /// The sockets with something to send in this turn.
  private var unsent: Set<SocketID> = []
  /// The sockets whose clients have not taken everything.
  private var waiting: Set<SocketID> = []
  /// The sockets that are not read from: this turn has read enough, or their clients have too much to take.
  private var paused: Set<SocketID> = []
  /// The bytes that were read in this turn.
  private var readBytes = 0
  private let now: () -> Moment
  private let journal: ChannelJournal
  private let names: DeviceNames
  private var timer: Timer?
  private var nextTurn: Timer?
  private var sweep: Timer?

  /// A service for changes of the rows of those tables.
  init(
    _ schema: TableSchema, access: TableAccess, faults: TableFaults, journal: ServerJournal, names: DeviceNames,
    on loop: Loop, now: @escaping () -> Moment
  ) {
    self.journal = ChannelJournal(journal, schema) { faults.users($0).last?.text ?? $0.text }
    self.names = names
    self.schema = schema
    self.faults = faults
    self.access = access
    self.now = now
    reader = ChannelRequestReader(schema)
    channels = ChannelServer(schema)
    timer = Timer(on: loop) { [unowned self] in
      perform(channels.tick(at: now()))
      schedule()
    }
    nextTurn = Timer(on: loop) { [unowned self] in resume() }
    sweep = Timer(on: loop) { [unowned self] in closeSlow() }
  }

  /// The sockets and their channels as members of the status report.
  var status: [JSON.Member] {
    let list = channels.places.map { place -> JSON in
      let socket = sockets[place.socket]
      let events = socket?.events[place.topic] ?? (0, 0)
      let account = channels.account(of: place.topic, on: place.socket).flatMap { faults.users($0).last?.text }
      return [
        "socket": .integer(Int64(place.socket.number)), "topic": .string(place.topic),
        "name": socket?.name.map(JSON.string) ?? .null, "device": socket?.deviceID.map(JSON.string) ?? .null,
        "account": account.map(JSON.string) ?? .null, "entries": .integer(Int64(place.entries)),
        "sent": .integer(Int64(events.sent)), "dropped": .integer(Int64(events.dropped)),
        "held": .array(held(on: place.socket, topic: place.topic)),
      ]
    }
    return [JSON.Member("sockets", .integer(Int64(sockets.count))), JSON.Member("channels", .array(list))]
  }

  /// The events to a channel that faults hold back.
  private func held(on socket: SocketID, topic: String) -> [JSON] {
    let events = eventFaults.held(for: socket, at: now().monotonic).filter { $0.delivery.topic == topic }
    return events.map { event in
      [
        "record": .string(event.change.key.recordName(in: event.change.table).text),
        "committedAt": .string(event.change.stamp.iso8601),
      ]
    }
  }

  /// Whether a socket of that device is open.
  func knows(_ device: String) -> Bool {
    sockets.values.contains { $0.deviceID == device || $0.name == device }
  }

  /// The names of the devices with a socket.
  var namesOfDevices: [String] { sockets.values.compactMap(\.name) }

  /// Delivers a payload by hand on the joined channels of a device's sockets. Returns their topics; nil if the device has no
  /// socket.
  func deliver(_ delivery: PushDelivery) -> [String]? {
    guard knows(delivery.receiver) else { return nil }
    var topics: [String] = []
    for place in channels.places {
      guard let socket = sockets[place.socket],
        socket.deviceID == delivery.receiver || socket.name == delivery.receiver,
        let frame = delivery.frame(on: place.topic),
        let message = ChannelFrameCodec(socket.version).serverMessage(of: frame)
      else { continue }
      send(message, on: place.socket)
      topics.append(place.topic)
    }
    return topics
  }

  /// What the key of a request allows. A token in the header is verified too, although each channel brings its own.
  func role(of request: HTTPRequest) throws(AccessProblem) -> AccountClaims.Role {
    _ = try access.caller(of: request, at: now().wall)
    return try access.role(ofKey: SupabaseCredentials(request).key)
  }

  /// Nil if a socket may be opened with that key from that host, else the time in seconds to wait.
  func refusal(of key: String?, from host: String) -> Int? {
    admission.take(key: access.ownKey(key), from: host, at: now().monotonic)
  }

  /// Takes over a connection of that device after its handshake. `rest` was read after the request.
  func open(
    _ connection: Connection, _ rest: [UInt8], _ version: ChannelVersion, _ role: AccountClaims.Role, device: String?
  ) {
    let key = AccountClaims(role: role, issuedAt: 0, expiresAt: .max)
    let id = channels.open(key: key, at: now())
    let name = device.map { names.names(of: $0).first ?? $0 }
    sockets[id] = RealtimeSocket(connection, version, device: device, name: name)
    journal.socket(id, isOpen: true, name)
    connection.onRead = { [unowned self] in received($0, on: id) }
    connection.onDrained = { [unowned self] in unsent.insert(id) }
    connection.onClose = { [unowned self] _ in forget(id) }
    schedule()
    if !rest.isEmpty { rest.withUnsafeBytes { received($0, on: id) } }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, on id: SocketID) {
    guard let socket = sockets[id] else { return }
    let events = socket.receive(bytes)
    if socket.hasHeard() { channels.heard(on: id, at: now()) }
    unsent.insert(id)
    let codec = ChannelFrameCodec(socket.version)
    for event in events {
      switch event {
      case .text(let text): take(codec.frame(of: text), on: id)
      case .binary(let bytes): take(codec.frame(ofBinary: bytes), on: id)
      case .closed: close(id)
      }
    }
    readBytes += bytes.count
    limit(socket, id)
    schedule()
  }

  /// Stops reading from a socket if this turn has read enough, or if its client has too much to take.
  private func limit(_ socket: RealtimeSocket, _ id: SocketID) {
    guard sockets[id] != nil else { return }
    if socket.unfinishedBytes > channels.limits.fewBytes, unfinishedBytes > channels.limits.unfinishedBytes {
      return close(id, code: WebSocketCloseCode.tryAgainLater.rawValue)
    }
    guard readBytes >= Self.bytesPerTurn || socket.outgoing.isBehind else { return }
    socket.pauseReading()
    paused.insert(id)
  }

  /// The bytes of messages that have not arrived completely.
  private var unfinishedBytes: Int { sockets.values.reduce(0) { $0 + $1.unfinishedBytes } }

  /// Reads again from the sockets that waited for this turn.
  private func resume() {
    for id in paused.sorted() {
      guard let socket = sockets[id] else {
        paused.remove(id)
        continue
      }
      guard !socket.outgoing.isBehind else { continue }
      paused.remove(id)
      socket.resumeReading()
    }
  }

  private func take(_ frame: ChannelFrame?, on id: SocketID) {
    guard let frame else { return perform(channels.unreadable(on: id, at: now())) }
    let request = reader.request(frame)
    let hits = faults.faults(on: subject(of: request, on: id))
    let verdict = verdict(on: request, hits)
    switch hits?.socketFault {
    case nil: perform(channels.received(request, verdict: verdict, on: id, at: now()))
    case .silent?: _ = channels.received(request, verdict: verdict, on: id, at: now())
    case .deaf(let milliseconds)?:
      let until = now().monotonic.advanced(byMilliseconds: milliseconds)
      eventFaults.deafen(id, topic: request.topic, until: until)
      perform(channels.received(request, verdict: verdict, on: id, at: now()))
    case .refuse(let reason)?:
      perform([.send(.refused(reason), topic: request.topic, joinRef: request.joinRef, ref: request.ref, to: id)])
    case .cut(let code)?: cut(id, code: code)
    }
  }

  /// What faults look at in a message. It is sent by the account of its token.
  private func subject(of request: ChannelRequest, on id: SocketID) -> FaultSubject? {
    let claims = request.token.flatMap { try? access.keys.claims(of: $0, at: now().wall, ignoringEnd: true) }
    var subject = FaultSubject(request, users: faults.users(claims?.account))
    subject?.devices = sockets[id]?.deviceID.map { [$0] } ?? []
    return subject
  }

  /// Ends a socket with that code, or without a word.
  private func cut(_ id: SocketID, code: Int?) {
    if let code { return close(id, code: UInt16(clamping: code)) }
    sockets[id]?.cut()
    forget(id)
  }

  /// The verdict on the token in a message; nil if there is none, or one of the vendor's newer keys, which clients send
  /// instead of a token.
  private func verdict(on request: ChannelRequest, _ hits: RequestFaults?) -> ChannelServer.Verdict? {
    guard let token = request.token, !token.isEmpty, !token.hasPrefix("sb_") else { return nil }
    do throws(TokenProblem) {
      if hits?.contains(.expireTokens) == true { throw .expired(seconds: 0) }
      let judged = now().wall.advanced(byMilliseconds: hits?.tokenSkew ?? 0)
      return .success(try access.claims(ofMessage: token, at: judged))
    } catch {
      return .failure(error)
    }
  }

  /// Ends the channels of an account that was removed.
  func accountRemoved(_ account: UUID) { perform(channels.accountRemoved(account)) }

  // MARK: Changes

  /// Changes of an account's rows were committed. They are sent from the end of the turn on, after the answers.
  func changed(_ changes: AccountChanges) { untold.append(changes) }

  /// Passes a broadcast that did not come over a socket to those who joined the topic.
  func pass(_ broadcast: ChannelBroadcast, topic: String) { perform(channels.pass(broadcast, topic: topic)) }

  private func perform(_ effects: [ChannelEffect]) {
    for effect in effects {
      switch effect {
      case .send(let answer, let topic, let joinRef, let ref, let id):
        guard let socket = sockets[id] else { continue }
        journal.answered(answer, topic: topic, of: channels.account(of: topic, on: id), to: socket.name)
        let frame = answer.frame(topic: topic, joinRef: joinRef, ref: ref)
        if let message = ChannelFrameCodec(socket.version).serverMessage(of: frame) { send(message, on: id) }
      case .tell(let answer, let topic, let ids): tell(answer.frame(topic: topic, joinRef: nil, ref: nil), to: ids)
      case .change(let change, let deliveries): send(change, deliveries)
      case .close(let id, let code): close(id, code: code)
      }
    }
  }

  /// Sends the same message to several sockets. It is encoded once for each version.
  private func tell(_ frame: ChannelFrame, to ids: [SocketID]) {
    var messages: [ChannelVersion: ChannelMessage?] = [:]
    for id in ids {
      guard let version = sockets[id]?.version else { continue }
      let message = messages[version] ?? ChannelFrameCodec(version).serverMessage(of: frame)
      messages[version] = .some(message)
      if let message { send(message, on: id) }
    }
  }

  private func send(_ change: RowChange, _ deliveries: [ChannelDelivery]) {
    guard let table = schema.table(change.table) else { return }
    journal.sent(change, channels: deliveries.count, to: deliveries.compactMap { sockets[$0.socket]?.name })
    var writer = ChannelChangeWriter(change, of: table)
    for delivery in deliveries {
      guard let socket = sockets[delivery.socket] else { continue }
      socket.events[delivery.topic, default: (0, 0)].sent += 1
      send(writer.text(for: delivery, socket.version), on: delivery.socket)
    }
  }

  private func send(_ message: ChannelMessage, on id: SocketID) {
    sockets[id]?.send(message)
    unsent.insert(id)
  }

  /// Sends changes of an account's rows as far as faults let them pass. Returns the number of changes and messages.
  private func tell(_ changes: AccountChanges) -> Int {
    var count = changes.changes.count
    for effect in channels.changed(changes.account, changes.changes) {
      guard case .change(let change, let deliveries) = effect else { continue }
      count += deliveries.count
      let users = faults.isActive ? faults.users(changes.account) : []
      let hits = faults.faults(on: FaultSubject(change, users: users))
      let passage = eventFaults.pass(EventFaults.Event(change, deliveries), hits, at: now().monotonic) { delivery in
        fault(of: change, to: delivery, users)
      }
      send(passage)
    }
    return count
  }

  /// The fault of an event on its way to a channel; nil for none.
  private func fault(of change: RowChange, to delivery: ChannelDelivery, _ users: [Name]) -> PushFault? {
    guard faults.isActive else { return nil }
    let socket = sockets[delivery.socket]
    let way = FaultSubject.Delivery(
      to: socket?.deviceID.map { [$0] } ?? [], from: journal.author(of: change).map { [$0] } ?? [],
      topic: delivery.topic)
    let fault = faults.pushFault(on: FaultSubject(change, users: users, way))
    if let fault { journal.disturbed(change, topic: delivery.topic, to: socket?.name, fault) }
    return fault
  }

  /// Sends what faults left of events.
  private func send(_ passage: EventFaults.Passage) {
    for lost in passage.dropped { sockets[lost.socket]?.events[lost.topic, default: (0, 0)].dropped += 1 }
    for event in passage.events {
      faults.delay(milliseconds: event.delay) { [weak self] in self?.send(event.change, event.deliveries) }
    }
    for (id, code) in passage.cuts.sorted(by: { $0.key < $1.key }) { cut(id, code: code) }
  }

  // MARK: The end of a turn

  /// Tells changes of rows, and sends the output of this turn. Changes beyond a bound follow in the next turns.
  func endTurn() {
    let limits = channels.limits
    if eventFaults.holdsEvents, !faults.swapsPushes { send(eventFaults.release()) }
    var told = 0
    while told < limits.tellingsPerTurn || untold.count > limits.untoldChanges,
      let changes = untold.next(limits.tellingsPerTurn / 10)
    { told += tell(changes) }
    flush()
    readBytes = 0
    if untold.count > 0 || paused.contains(where: { sockets[$0]?.outgoing.isBehind == false }) {
      nextTurn?.schedule(after: 0)
    }
    schedule()
  }

  private func flush() {
    // Others may be told of a socket that is closed. They get that in the next round.
    while !unsent.isEmpty {
      let ids = unsent.sorted()
      unsent.removeAll(keepingCapacity: true)
      for id in ids {
        guard let socket = sockets[id] else { continue }
        socket.flush()
        if socket.outgoing.isEmpty { waiting.remove(id) } else { waiting.insert(id) }
        if socket.outgoing.isTooMuch { close(id, code: WebSocketCloseCode.tryAgainLater.rawValue) }
      }
    }
    if !waiting.isEmpty, sweep?.isScheduled == false { sweep?.schedule(after: channels.limits.lookStep) }
  }

  /// Closes the sockets whose clients read too slowly.
  private func closeSlow() {
    let open = waiting.sorted().compactMap { id in sockets[id].map { (id, $0) } }
    let bytes = open.reduce(0) { $0 + $1.1.outgoing.waitingBytes }
    for (id, socket) in open {
      if socket.look(isShort: bytes > channels.limits.allBytes) {
        close(id, code: WebSocketCloseCode.tryAgainLater.rawValue)
      } else if socket.outgoing.isEmpty {
        waiting.remove(id)
      }
    }
    if !waiting.isEmpty { sweep?.schedule(after: channels.limits.lookStep) }
  }

  private func schedule() {
    guard let deadline = channels.nextDeadline else { return timer?.cancel() ?? () }
    timer?.schedule(at: deadline.milliseconds)
  }

  // MARK: The end of a socket

  /// Ends a socket with that code, or because its client has closed it.
  private func close(_ id: SocketID, code: UInt16? = nil) {
    sockets[id]?.close(code: code)
    forget(id)
  }

  /// A socket is gone.
  private func forget(_ id: SocketID) {
    guard let socket = sockets.removeValue(forKey: id) else { return }
    journal.socket(id, isOpen: false, socket.name)
    waiting.remove(id)
    paused.remove(id)
    eventFaults.closed(id)
    perform(channels.closed(id))
  }

  /// Ends all sockets, because the server stops.
  func close() {
    for id in sockets.keys.sorted() { close(id, code: WebSocketCloseCode.goingAway.rawValue) }
    for timer in [timer, nextTurn, sweep] { timer?.close() }
  }
}
