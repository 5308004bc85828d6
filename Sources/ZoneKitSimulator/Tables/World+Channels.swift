import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitTimeline
import ZoneKitWire

/// The realtime sockets between devices and the cloud.
extension World {
  /// A socket of a device.
  struct Socket: Hashable {
    /// Its number in the simulation.
    var number: Int
    var device: Int
  }

  /// How many sockets of a device are open at the cloud.
  func openSockets(of device: Int) -> Int { cloud.tables?.sockets.values.count { $0.device == device } ?? 0 }

  // MARK: At the cloud

  mutating func socketArrives(_ socket: Socket) {
    guard cloud.isRunning, cloud.tables != nil else {
      return queue.add(.tables(.socketClosed(socket)), at: now)
    }
    let moment = cloudMoment
    cloud.tables?.open(socket, at: moment)
    sendDown(.tables(.socketOpened(socket)), "open", over: socket)
    scheduleChannels()
  }

  mutating func frameArrives(_ frame: ChannelFrame, on socket: Socket) {
    guard cloud.isRunning else { return }
    guard let request = cloud.tables?.request(frame), !isSilenced(request, on: socket) else { return }
    let moment = cloudMoment
    carryOut(cloud.tables?.received(request, on: socket, at: moment) ?? [])
    scheduleChannels()
  }

  /// Whether a fault keeps the cloud from answering a join.
  private mutating func isSilenced(_ request: ChannelRequest, on socket: Socket) -> Bool {
    guard !cloud.process.faults.entries.isEmpty, let subject = FaultSubject(request, users: []),
      let faults = cloud.process.faults.faults(on: subject, using: &cloud.generator), faults.contains(.silentJoin)
    else { return false }
    note(.cloud, .fault, cloud.names(of: faults.faults))
    return true
  }

  /// A device's side of a socket is gone.
  mutating func socketHungUp(_ socket: Socket) { carryOut(cloud.tables?.closed(socket) ?? []) }

  mutating func tickChannels() {
    guard cloud.isRunning else { return }
    cloud.tables?.channelTickAt = nil
    let moment = cloudMoment
    carryOut(cloud.tables?.channels.tick(at: moment) ?? [])
    scheduleChannels()
  }

  private mutating func scheduleChannels() {
    guard let due = cloud.tables?.channels.nextDeadline, cloud.tables?.channelTickAt != due else { return }
    cloud.tables?.channelTickAt = due
    queue.add(.tables(.channelTick), at: max(due, now))
  }

  mutating func carryOut(_ effects: [ChannelEffect]) {
    for effect in effects {
      switch effect {
      case .send(let answer, let topic, let joinRef, let ref, let id):
        send(answer.frame(topic: topic, joinRef: joinRef, ref: ref), to: id)
      case .tell(let answer, let topic, let ids):
        for id in ids { send(answer.frame(topic: topic, joinRef: nil, ref: nil), to: id) }
      case .change(let change, let deliveries): send(change, deliveries)
      case .close(let id, code: _):
        guard let socket = cloud.tables?.sockets[id] else { continue }
        carryOut(cloud.tables?.closed(socket) ?? [])
        sendDown(.tables(.socketClosed(socket)), "close", over: socket)
      }
    }
  }

  private mutating func send(_ frame: ChannelFrame, to id: SocketID) {
    guard let socket = cloud.tables?.sockets[id] else { return }
    send(carried(frame) { $0.serverText(of: $1) }, on: socket)
  }

  /// A frame as the other side reads it. `text` writes it. A frame that is no message arrives as it is.
  mutating func carried(_ frame: ChannelFrame, _ text: (ChannelFrameCodec, ChannelFrame) -> [UInt8]) -> ChannelFrame {
    guard writesMessage() else { return frame }
    let codec = ChannelFrameCodec(.second)
    let read = codec.frame(of: text(codec, frame))
    if read != frame {
      report(Finding(.message, "the frame \(frame) is read as \(read.map { "\($0)" } ?? "no frame")"))
    }
    return read ?? frame
  }

  private mutating func send(_ change: RowChange, _ deliveries: [ChannelDelivery]) {
    guard let table = cloud.tables?.app.schema.table(change.table) else { return }
    var writer = ChannelChangeWriter(change, of: table)
    for delivery in deliveries {
      guard let socket = cloud.tables?.sockets[delivery.socket] else { continue }
      report(TableChecker.finding(in: change, of: table, to: cloud.tables?.socketAccounts[delivery.socket]))
      let subject = FaultSubject(
        change, users: [], self.delivery(to: socket.device, from: change.author(in: table), topic: delivery.topic))
      let passed = pushFaults[socket.device].pass(
        .event(ChannelEvent(change, delivery)), about: subject, at: now, using: &cloud.generator)
      for (message, passage) in passed {
        guard case .event(let event) = message, let table = cloud.tables?.app.schema.table(event.change.table) else {
          continue
        }
        if event.change != change { writer = ChannelChangeWriter(event.change, of: table) }
        guard let frame = ChannelFrameCodec(.second).frame(of: writer.text(for: event.delivery, .second).bytes) else {
          continue
        }
        send(frame, passage, on: socket)
      }
    }
  }

  private mutating func send(
    _ frame: ChannelFrame, _ passage: PushFaults<Int, WakeMessage>.Passage, on socket: Socket
  ) {
    switch passage {
    case .dropped:
      devices[socket.device].counters.lostPushes += 1
      let arrow = Arrow(.push, from: .cloud, to: .device(socket.device), frame.event, .dies(now, "dropped"))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
    case .late(let delay):
      let due = now.advanced(byMilliseconds: delay)
      let arrow = Arrow(.push, from: .cloud, to: .device(socket.device), frame.event, .arrives(due))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
      queue.add(.tables(.frameDown(frame, socket)), at: due)
    case .passed: send(frame, on: socket)
    }
  }

  private mutating func send(_ frame: ChannelFrame, on socket: Socket) {
    sendDown(.tables(.frameDown(frame, socket)), frame.event, over: socket)
  }

  private mutating func sendDown(_ work: Work, _ text: String, over socket: Socket) {
    let isTold = send(work, over: LinkWay(device: socket.device, direction: .push)) { fate in
      Arrow(.push, from: .cloud, to: .device(socket.device), text, fate, TraceDetail(ofEvent: text))
    }
    if isTold != nil { devices[socket.device].counters.lostPushes += 1 }
  }

  /// Ends all sockets, because the cloud's process died.
  mutating func closeSockets() {
    for device in devices.indices {
      if let socket = devices[device].socket { queue.add(.tables(.socketClosed(socket)), at: now) }
    }
  }
}

extension SimulatedTables {
  /// A socket was opened.
  mutating func open(_ socket: World.Socket, at now: Moment) {
    let key = AccountClaims(role: .anonymous, issuedAt: 0, expiresAt: .max)
    let id = channels.open(key: key, at: now)
    sockets[id] = socket
    socketIDs[socket] = id
  }

  /// A socket is gone. Returns the messages to the others.
  mutating func closed(_ socket: World.Socket) -> [ChannelEffect] {
    guard let id = socketIDs.removeValue(forKey: socket) else { return [] }
    (sockets[id], socketAccounts[id]) = (nil, nil)
    return channels.closed(id)
  }

  /// What a message asks for.
  func request(_ frame: ChannelFrame) -> ChannelRequest { ChannelRequestReader(app.schema).request(frame) }

  /// A message on a socket arrived.
  mutating func received(_ request: ChannelRequest, on socket: World.Socket, at now: Moment) -> [ChannelEffect] {
    guard let id = socketIDs[socket] else { return [] }
    let verdict = request.token.map { self.verdict(on: $0, at: now.wall) }
    if case .success(let claims)? = verdict { socketAccounts[id] = claims.account }
    return channels.received(request, verdict: verdict, on: id, at: now)
  }
}
