import ZoneKitCloud
import ZoneKitCloudProcess
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
    let name = devices[socket.device].name
    let opening = cloud.process.opening(
      key: "simulated", from: name, device: name, at: cloudMoment, naming: naming, using: &cloud.generator)
    switch opening {
    case .open(afterMilliseconds: 0): openSocket(socket)
    case .open(let delay): queue.add(.tables(.socketAdmitted(socket)), at: now.advanced(byMilliseconds: delay))
    case .refuse(_, let delay):
      note(.cloud, .fault, "no socket for \(name)")
      queue.add(.tables(.socketClosed(socket)), at: now.advanced(byMilliseconds: delay))
    }
  }

  /// Opens a socket that the cloud admitted.
  mutating func openSocket(_ socket: Socket) {
    guard cloud.isRunning,
      let (id, _) = cloud.process.openSocket(.anonymous, device: [devices[socket.device].name], at: cloudMoment)
    else { return queue.add(.tables(.socketClosed(socket)), at: now) }
    cloud.tables?.sockets[id] = socket
    cloud.tables?.socketIDs[socket] = id
    sendDown(.tables(.socketOpened(socket)), "open", over: socket)
    scheduleChannels()
  }

  mutating func frameArrives(_ frame: ChannelFrame, on socket: Socket) {
    guard cloud.isRunning, let tables = cloud.tables, let id = tables.socketIDs[socket] else { return }
    let reception = cloud.process.received(
      ChannelRequestReader(cloud.process.tables?.relations == nil ? tables.app.schema : nil).request(frame), on: id,
      at: cloudMoment, naming: naming,
      verify: { tables.verified($0) }, using: &cloud.generator)
    if !reception.faults.isEmpty { note(.cloud, .fault, cloud.names(of: reception.faults)) }
    for effect in reception.effects { carryOut(effect) }
    scheduleChannels()
  }

  /// Adds the names of devices in the simulation to a subject of faults, because a device ID may change.
  var naming: (FaultSubject) -> FaultSubject {
    { [devices] subject in
      var subject = subject
      guard let authors = subject.delivery?.authors else { return subject }
      subject.delivery?.authors += devices.indices.filter { authors.contains(devices[$0].coordinator.deviceID) }
        .map { devices[$0].name }
      return subject
    }
  }

  /// A device's side of a socket is gone.
  mutating func socketHungUp(_ socket: Socket) {
    guard cloud.isRunning, let id = cloud.tables?.socketIDs[socket] else { return }
    forget(socket, id)
    for effect in cloud.process.socketClosed(id) { carryOut(effect) }
  }

  private mutating func forget(_ socket: Socket, _ id: SocketID) {
    cloud.tables?.socketIDs[socket] = nil
    cloud.tables?.sockets[id] = nil
  }

  mutating func tickChannels() {
    guard cloud.isRunning else { return }
    cloud.tables?.channelTickAt = nil
    for effect in cloud.process.tickChannels(at: cloudMoment) { carryOut(effect) }
    scheduleChannels()
  }

  private mutating func scheduleChannels() {
    guard let due = cloud.process.nextChannelDeadline, cloud.tables?.channelTickAt != due else { return }
    cloud.tables?.channelTickAt = due
    queue.add(.tables(.channelTick), at: max(due, now))
  }

  /// Tells the channels the changes of this turn. The rest follows in the next one.
  mutating func tellChanges() {
    let effects = cloud.process.tellChanges(at: cloudMoment, naming: naming, using: &cloud.generator)
    for effect in effects { carryOut(effect) }
    scheduleChannels()
    if cloud.process.hasUntoldChanges { queue.add(.cloudTurn(life: cloud.life), at: now) }
  }

  /// Carries out an instruction of the channels.
  mutating func carryOut(_ effect: ChannelEffect) {
    switch effect {
    case .send(let answer, let topic, let joinRef, let ref, let id):
      send(answer.frame(topic: topic, joinRef: joinRef, ref: ref), to: id)
    case .tell(let answer, let topic, let ids):
      for id in ids { send(answer.frame(topic: topic, joinRef: nil, ref: nil), to: id) }
    case .change(let change, let deliveries): send(change, deliveries)
    case .close(let id, code: _), .cut(let id):
      guard let socket = cloud.tables?.sockets[id] else { return }
      forget(socket, id)
      sendDown(.tables(.socketClosed(socket)), "close", over: socket)
    }
  }

  /// Changes of rows were committed.
  mutating func noteChanged(_ change: AccountChanges) {
    guard let schema = cloud.tables?.app.schema else { return }
    log(.rowsChanged(change, schema))
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

  private mutating func send(_ told: ChannelChange, _ deliveries: [ChannelDelivery]) {
    guard let schema = cloud.tables?.app.schema, var writer = ChannelChangeWriter(told, in: schema) else { return }
    var author: String?
    for delivery in deliveries {
      guard let socket = cloud.tables?.sockets[delivery.socket] else { continue }
      if case .row(let change) = told, let table = schema.table(change.table) {
        author = change.author(in: table)
        let account = cloud.process.account(of: delivery.topic, on: delivery.socket)
        log(.changeSent(change, table, to: account))
      }
      let subject = FaultSubject(
        told, users: [], self.delivery(to: socket.device, from: author, topic: delivery.topic))
      let passed = pushFaults[socket.device].pass(
        .event(ChannelEvent(told, delivery)), about: subject, at: now, using: &cloud.generator)
      for (message, passage) in passed {
        // An event that waited for the next one is lost with its socket.
        guard case .event(let event) = message, event.delivery.socket == delivery.socket,
          let frame = event.change == told ? writer.frame(for: event.delivery) : frame(of: event)
        else { continue }
        send(frame, passage, on: socket)
      }
    }
  }

  private func frame(of event: ChannelEvent) -> ChannelFrame? {
    var writer = (cloud.tables?.app.schema).flatMap { ChannelChangeWriter(event.change, in: $0) }
    return writer?.frame(for: event.delivery)
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

extension ChannelChangeWriter {
  /// The event as the device reads it; nil if it is no frame.
  fileprivate mutating func frame(for delivery: ChannelDelivery) -> ChannelFrame? {
    ChannelFrameCodec(.second).frame(of: text(for: delivery, .second).bytes)
  }
}
