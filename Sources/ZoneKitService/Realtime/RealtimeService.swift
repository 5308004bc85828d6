import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWebSocket
import ZoneKitWire

/// The realtime sockets of a server: it frames, sends and reads messages. The process decides who gets what.
final class RealtimeService {
  /// The bytes that are read from all sockets in a turn. Then the others, and those who send more, wait for the next turn.
  private static let bytesPerTurn = 1 << 20

  /// The cloud.
  let zones: FileZoneService
  /// Decides about keys and tokens.
  private let access: TableAccess
  private let schema: TableSchema
  private let reader: ChannelRequestReader
  private let limits: ChannelLimits
  private var sockets: [SocketID: RealtimeSocket] = [:]
  /// The sockets with something to send in this turn.
  private var unsent: Set<SocketID> = []
  /// The sockets whose clients have not taken everything.
  private var waiting: Set<SocketID> = []
  /// The sockets that are not read from: this turn has read enough, or their clients have too much to take.
  private var paused: Set<SocketID> = []
  /// The bytes that were read in this turn.
  private var readBytes = 0
  private let now: () -> Moment
  private let names: DeviceNames
  private var timer: Timer?
  private var nextTurn: Timer?
  private var sweep: Timer?

  /// A service for changes of the rows of those tables; of the tables of a user's own schema with `isOwn`.
  init(
    _ schema: TableSchema, isOwn: Bool, of zones: FileZoneService, access: TableAccess, names: DeviceNames,
    on loop: Loop, now: @escaping () -> Moment
  ) {
    self.zones = zones
    self.names = names
    self.schema = schema
    self.access = access
    self.now = now
    reader = ChannelRequestReader(isOwn ? nil : schema)
    limits = zones.process.channelLimits
    timer = Timer(on: loop) { [unowned self] in
      zones.tickChannels()
      schedule()
    }
    nextTurn = Timer(on: loop) { [unowned self] in resume() }
    sweep = Timer(on: loop) { [unowned self] in closeSlow() }
    zones.onChannel = { [unowned self] in perform($0) }
    zones.onDropped = { [unowned self] in
      sockets[$0.socket]?.events[$0.topic, default: (0, FaultDrops())].drops.add(now().wall)
    }
  }

  /// The number of open sockets.
  var socketCount: Int { sockets.count }

  /// The number of sockets whose clients have not taken everything.
  var waitingCount: Int { waiting.count }

  /// The number of joined channels.
  var channelCount: Int { zones.process.channelPlaces.count }

  /// The sockets and their channels as members of the status report.
  var status: [JSON.Member] {
    let list = zones.process.channelPlaces.map { place -> JSON in
      let socket = sockets[place.socket]
      let events = socket?.events[place.topic] ?? (0, FaultDrops())
      let account = zones.process.tables?.users(place.account).last?.text
      return [
        "socket": .integer(Int64(place.socket.number)), "topic": .string(place.topic),
        "name": socket?.name.map(JSON.string) ?? .null, "device": socket?.deviceID.map(JSON.string) ?? .null,
        "account": account.map(JSON.string) ?? .null, "entries": .integer(Int64(place.entries)),
        "sent": .integer(Int64(events.sent)), "dropped": .integer(Int64(events.drops.count)),
        "droppedAt": events.drops.json,
        "held": .array(held(on: place.socket, topic: place.topic)),
      ]
    }
    return [JSON.Member("sockets", .integer(Int64(sockets.count))), JSON.Member("channels", .array(list))]
  }

  /// The events to a channel that faults hold back.
  private func held(on socket: SocketID, topic: String) -> [JSON] {
    let events = zones.process.heldEvents(for: socket, at: now().monotonic).filter { $0.delivery.topic == topic }
    return events.map { event in
      [
        "record": .string(event.change.recordName.text),
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
    for place in zones.process.channelPlaces {
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

  /// What the key of a request allows, or why it is refused. A token in the header is verified too, although each channel
  /// brings its own.
  func role(of request: HTTPRequest) -> Result<AccountClaims.Role, ServiceRefusal> {
    do throws(AccessProblem) {
      let sender = try access.sender(of: request)
      return zones.problem(of: sender).map { .failure($0.refusal) } ?? .success(sender.key)
    } catch {
      return .failure(ServiceRefusal(401, code: "invalid_key", error.sentence))
    }
  }

  /// What a client gets that asks for a socket with that key from that host.
  func opening(key: String?, from host: String, device: String?) -> SocketOpening {
    zones.opening(key: access.ownKey(key), from: host, device: device)
  }

  /// Takes over a connection of that device after its handshake. `rest` was read after the request.
  func open(
    _ connection: Connection, _ rest: [UInt8], _ version: ChannelVersion, _ role: AccountClaims.Role, device: String?
  ) {
    let known = device.map { [$0] + names.names(of: $0).prefix(1) } ?? []
    guard let id = zones.openSocket(role, device: known) else { return connection.close() }
    sockets[id] = RealtimeSocket(connection, version, device: device, name: known.last)
    connection.onRead = { [unowned self] in received($0, on: id) }
    connection.onDrained = { [unowned self] in unsent.insert(id) }
    connection.onClose = { [unowned self] _ in forget(id) }
    schedule()
    if !rest.isEmpty { rest.withUnsafeBytes { received($0, on: id) } }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, on id: SocketID) {
    guard let socket = sockets[id] else { return }
    let events = socket.receive(bytes)
    if socket.hasHeard() { zones.heard(on: id) }
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
    if socket.unfinishedBytes > limits.fewBytes, unfinishedBytes > limits.unfinishedBytes {
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
    zones.received(frame.map { reader.request($0) }, on: id) { [access] token in
      do throws(TokenProblem) {
        return .success(try access.keys.claims(of: token))
      } catch {
        return .failure(error)
      }
    }
  }

  // MARK: Messages

  private func perform(_ effect: ChannelEffect) {
    switch effect {
    case .send(let answer, let topic, let joinRef, let ref, let id):
      guard let socket = sockets[id] else { return }
      let frame = answer.frame(topic: topic, joinRef: joinRef, ref: ref)
      if let message = ChannelFrameCodec(socket.version).serverMessage(of: frame) { send(message, on: id) }
    case .tell(let answer, let topic, let ids): tell(answer.frame(topic: topic, joinRef: nil, ref: nil), to: ids)
    case .change(let change, let deliveries): send(change, deliveries)
    case .close(let id, let code): close(id, code: code)
    case .cut(let id):
      sockets[id]?.cut()
      forget(id)
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

  private func send(_ change: ChannelChange, _ deliveries: [ChannelDelivery]) {
    guard var writer = ChannelChangeWriter(change, in: schema) else { return }
    for delivery in deliveries {
      guard let socket = sockets[delivery.socket] else { continue }
      socket.events[delivery.topic, default: (0, FaultDrops())].sent += 1
      send(writer.text(for: delivery, socket.version), on: delivery.socket)
    }
  }

  private func send(_ message: ChannelMessage, on id: SocketID) {
    sockets[id]?.send(message)
    unsent.insert(id)
  }

  // MARK: The end of a turn

  /// Tells changes of rows, and sends the output of this turn. Changes beyond a bound follow in the next turns.
  func endTurn() {
    let isMoreToTell = zones.tellChanges()
    flush()
    readBytes = 0
    if isMoreToTell || paused.contains(where: { sockets[$0]?.outgoing.isBehind == false }) {
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
    if !waiting.isEmpty, sweep?.isScheduled == false { sweep?.schedule(after: limits.lookStep) }
  }

  /// Closes the sockets whose clients read too slowly.
  private func closeSlow() {
    let open = waiting.sorted().compactMap { id in sockets[id].map { (id, $0) } }
    let bytes = open.reduce(0) { $0 + $1.1.outgoing.waitingBytes }
    for (id, socket) in open {
      if socket.look(isShort: bytes > limits.allBytes) {
        close(id, code: WebSocketCloseCode.tryAgainLater.rawValue)
      } else if socket.outgoing.isEmpty {
        waiting.remove(id)
      }
    }
    if !waiting.isEmpty { sweep?.schedule(after: limits.lookStep) }
  }

  private func schedule() {
    guard let deadline = zones.process.nextChannelDeadline else { return timer?.cancel() ?? () }
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
    guard sockets.removeValue(forKey: id) != nil else { return }
    waiting.remove(id)
    paused.remove(id)
    zones.socketClosed(id)
  }

  /// Ends all sockets, because the server stops.
  func close() {
    for id in sockets.keys.sorted() { close(id, code: WebSocketCloseCode.goingAway.rawValue) }
    for timer in [timer, nextTurn, sweep] { timer?.close() }
  }
}
