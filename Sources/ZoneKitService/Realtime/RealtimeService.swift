import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWebSocket
import ZoneKitWire

/// The realtime sockets of a server. The machine decides who gets what; the service frames and sends it, in one write for
/// each socket and turn.
final class RealtimeService {
  /// An open socket.
  private final class Socket {
    let connection: Connection
    let framer = MessageFramer(.server)
    let version: ChannelVersion
    /// The messages that the connection has not sent yet; counted since it was last empty.
    var waiting = 0
    /// The events of each channel that were sent and that were not, by topic.
    var events: [String: (sent: Int, dropped: Int)] = [:]

    init(_ connection: Connection, _ version: ChannelVersion) {
      self.connection = connection
      self.version = version
    }
  }

  /// The most messages that wait for a client.
  private static let messageLimit = 1_000
  /// The most bytes that wait for a client.
  private static let byteLimit = 4 << 20

  /// Decides about keys and tokens.
  private let access: TableAccess
  private let schema: TableSchema
  private let reader: ChannelRequestReader
  private var channels: ChannelServer
  private var admission = SocketAdmission()
  /// The faults of sockets, messages and events.
  let faults: TableFaults
  private var eventFaults = EventFaults()
  private var sockets: [SocketID: Socket] = [:]
  /// The changes of this turn.
  private var untold: [AccountChanges] = []
  /// The sockets with output of this turn.
  private var unsent: Set<SocketID> = []
  private let now: () -> Moment
  private var timer: Timer?

  /// A service for changes of the rows of those tables.
  init(
    _ schema: TableSchema, access: TableAccess, faults: TableFaults, on loop: Loop, now: @escaping () -> Moment
  ) {
    self.schema = schema
    self.faults = faults
    self.access = access
    self.now = now
    reader = ChannelRequestReader(schema)
    channels = ChannelServer(schema)
    timer = Timer(on: loop) { [unowned self] in
      perform(channels.tick(at: now()))
      endTurn()
    }
  }

  /// The sockets and their channels as members of the status report.
  var status: [JSON.Member] {
    let list = channels.places.map { place -> JSON in
      let events = sockets[place.socket]?.events[place.topic] ?? (0, 0)
      return [
        "socket": .integer(Int64(place.socket.number)), "topic": .string(place.topic),
        "entries": .integer(Int64(place.entries)), "sent": .integer(Int64(events.sent)),
        "dropped": .integer(Int64(events.dropped)),
      ]
    }
    return [JSON.Member("sockets", .integer(Int64(sockets.count))), JSON.Member("channels", .array(list))]
  }

  /// What the key of a request allows. A token in the header is verified too, although each channel brings its own.
  func role(of request: HTTPRequest) throws(AccessProblem) -> AccountClaims.Role {
    _ = try access.caller(of: request, at: now().wall)
    return try access.role(ofKey: SupabaseCredentials(request).key)
  }

  /// Nil if a socket may be opened with that key from that host, else the time in seconds to wait.
  func refusal(of key: String, from host: String) -> Int? {
    admission.take(host + " " + key, at: now().monotonic)
  }

  /// Takes over a connection after its handshake. `rest` was read after the request.
  func open(_ connection: Connection, _ rest: [UInt8], _ version: ChannelVersion, _ role: AccountClaims.Role) {
    let key = AccountClaims(role: role, issuedAt: 0, expiresAt: .max)
    let id = channels.open(key: key, at: now())
    sockets[id] = Socket(connection, version)
    connection.onRead = { [unowned self] in received($0, on: id) }
    connection.onDrained = { [unowned self] in sockets[id]?.waiting = 0 }
    connection.onClose = { [unowned self] _ in closed(id) }
    schedule()
    if !rest.isEmpty { rest.withUnsafeBytes { received($0, on: id) } }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, on id: SocketID) {
    guard let socket = sockets[id] else { return }
    let events = socket.framer.receive(bytes)
    unsent.insert(id)
    for event in events {
      switch event {
      case .text(let text): take(text, on: id, socket.version)
      // Broadcasts of the second version may be binary; they are not served.
      case .binary: break
      case .closed: closed(id)
      }
    }
    schedule()
  }

  private func take(_ text: [UInt8], on id: SocketID, _ version: ChannelVersion) {
    guard let frame = ChannelFrameCodec(version).frame(of: text) else {
      return perform(channels.unreadable(on: id, at: now()))
    }
    let request = reader.request(frame)
    let hits = faults.faults(on: subject(of: request))
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
  private func subject(of request: ChannelRequest) -> FaultSubject? {
    let claims = request.token.flatMap { try? access.keys.claims(of: $0, at: now().wall, ignoringEnd: true) }
    return FaultSubject(request, users: faults.users(claims?.account))
  }

  /// Ends a socket with that code, or without a word.
  private func cut(_ id: SocketID, code: Int?) {
    guard let socket = sockets[id] else { return }
    if let code {
      socket.framer.close(code: UInt16(clamping: code))
    } else {
      socket.connection.close()
    }
    closed(id)
  }

  /// The verdict on the token in a message; nil if there is none, or one of the vendor's newer keys, which clients send
  /// instead of a token.
  private func verdict(on request: ChannelRequest, _ hits: RequestFaults?) -> ChannelServer.Verdict? {
    guard let token = request.token, !token.isEmpty, !token.hasPrefix("sb_") else { return nil }
    do throws(TokenProblem) {
      if hits?.contains(.expireTokens) == true { throw .expired(seconds: 0) }
      let judged = now().wall.advanced(byMilliseconds: hits?.tokenSkew ?? 0)
      return .success(try access.keys.claims(of: token, at: judged))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Changes

  /// Takes in committed changes of an account's rows. They are sent at the end of the turn, after the answers.
  func changed(_ changes: AccountChanges) { untold.append(changes) }

  private func perform(_ effects: [ChannelEffect]) {
    for effect in effects {
      switch effect {
      case .send(let answer, let topic, let joinRef, let ref, let id):
        guard let socket = sockets[id] else { continue }
        let frame = answer.frame(topic: topic, joinRef: joinRef, ref: ref)
        send(ChannelFrameCodec(socket.version).serverText(of: frame), on: id)
      case .change(let change, let deliveries): send(change, deliveries)
      case .close(let id, let code):
        sockets[id]?.framer.close(code: code)
        closed(id)
      }
    }
  }

  private func send(_ change: RowChange, _ deliveries: [ChannelDelivery]) {
    guard let table = schema.table(change.table) else { return }
    var writer = ChannelChangeWriter(change, of: table)
    for delivery in deliveries {
      guard let socket = sockets[delivery.socket] else { continue }
      socket.events[delivery.topic, default: (0, 0)].sent += 1
      send(writer.text(for: delivery, socket.version), on: delivery.socket)
    }
  }

  private func send(_ text: [UInt8], on id: SocketID) {
    guard let socket = sockets[id] else { return }
    socket.waiting += 1
    guard socket.waiting <= Self.messageLimit, socket.connection.queuedBytes <= Self.byteLimit else {
      socket.framer.close(code: WebSocketCloseCode.tryAgainLater.rawValue)
      return closed(id)
    }
    socket.framer.send(text: text)
    unsent.insert(id)
  }

  /// Tells the changes of this turn, and sends its output.
  func endTurn() {
    for changes in untold { tell(changes) }
    untold.removeAll(keepingCapacity: true)
    for id in unsent.sorted() {
      guard let socket = sockets[id] else { continue }
      let output = socket.framer.takeOutput()
      if !output.isEmpty { socket.connection.write(output) }
      if socket.connection.queuedBytes == 0 { socket.waiting = 0 }
    }
    unsent.removeAll(keepingCapacity: true)
    schedule()
  }

  /// Sends changes of an account's rows as far as faults let them pass.
  private func tell(_ changes: AccountChanges) {
    for effect in channels.changed(changes.account, changes.changes) {
      guard case .change(let change, let deliveries) = effect else { continue }
      let hits = faults.faults(on: FaultSubject(change, users: faults.users(changes.account)))
      let passage = eventFaults.pass(EventFaults.Event(change, deliveries), hits, at: now().monotonic)
      for lost in passage.dropped { sockets[lost.socket]?.events[lost.topic, default: (0, 0)].dropped += 1 }
      for event in passage.events {
        faults.delay(milliseconds: event.delay) { [weak self] in self?.send(event.change, event.deliveries) }
      }
      for (id, code) in passage.cuts.sorted(by: { $0.key < $1.key }) { cut(id, code: code) }
    }
  }

  private func schedule() {
    guard let deadline = channels.nextDeadline else { return timer?.cancel() ?? () }
    timer?.schedule(at: deadline.milliseconds)
  }

  /// Sends what is left for a socket, and ends it. A client that does not read would keep the connection open.
  private func closed(_ id: SocketID) {
    guard let socket = sockets.removeValue(forKey: id) else { return }
    channels.closed(id)
    eventFaults.closed(id)
    let output = socket.framer.takeOutput()
    if !output.isEmpty { socket.connection.write(output) }
    if socket.connection.queuedBytes == 0 { socket.connection.shutdownAfterWrites() } else { socket.connection.close() }
  }

  /// Ends all sockets, because the server stops.
  func close() {
    for id in sockets.keys.sorted() {
      sockets[id]?.framer.close(code: WebSocketCloseCode.goingAway.rawValue)
      closed(id)
    }
    timer?.close()
  }
}
