import ZoneKitMemoryStores
import ZoneKitTimeline
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync
import ZoneKitCloud
import ZoneKitDeviceProcess
import ZoneKitWire

/// Connections to the push service, and notifications.
extension World {
  // MARK: The device's side

  /// Connects a device to the push service with that token.
  mutating func connectPush(_ device: Int, token: String) {
    lastConnection += 1
    let connection = PushGateway.ConnectionID(lastConnection)
    devices[device].pushConnection = connection
    connections[connection.number] = (device, token)
    let isTold = send(
      .hello(device: device, connection, token: token), over: LinkWay(device: device, direction: .up)
    ) { fate in
      Arrow(.hello, from: .device(device), to: .gateway, "hello", fate, TraceDetail(.setUp))
    }
    // A failed connection is noticed sooner or later.
    if let isTold {
      queue.add(.closed(device: device, connection, nil), at: now.advanced(byMilliseconds: isTold ? 100 : 10_000))
    }
  }

  /// Closes the device's side of the connection. The push service notices it.
  mutating func closePush(_ device: Int) {
    guard let connection = devices[device].pushConnection.take() else { return }
    connections[connection.number] = nil
    queue.add(.hangUp(connection), at: now.advanced(byMilliseconds: draw(links[device].up.delay)))
  }

  mutating func pushClosed(_ device: Int, _ connection: PushGateway.ConnectionID, _ reason: PushGateway.CloseReason?) {
    guard devices[device].pushConnection == connection else { return }
    devices[device].pushConnection = nil
    connections[connection.number] = nil
    let end: PushEnd =
      switch reason {
      case .badDeviceToken, .unregistered: .refused
      case .replaced: .taken
      default: .lost
      }
    let isCurrent = devices[device].process.connectedPushToken == devices[device].coordinator.pushToken
    checkToken(of: device, isRefused: end != .lost && isCurrent && devices[device].isComputing) { world in
      world.act(device) { $0.pushEnded(end, at: $1.monotonic) }
    }
  }

  /// A device whose disk works forgets a token that was refused.
  mutating func checkToken(of device: Int, isRefused: Bool, by event: (inout World) -> Void) {
    let isDiskSound = devices[device].isDiskSound
    let token = devices[device].coordinator.pushToken
    event(&self)
    guard isRefused, let token, isDiskSound, devices[device].isRunning, devices[device].coordinator.pushToken == token
    else { return }
    let text = "it keeps a push token that is dead, or somebody else's"
    report(Violation(.subscription, at: now, on: devices[device].name, text), on: .device(device))
  }

  mutating func welcomed(_ device: Int, _ connection: PushGateway.ConnectionID) {
    guard devices[device].pushConnection == connection else { return }
    act(device) { $0.pushWelcomed(at: $1.monotonic) }
  }

  mutating func pushArrived(_ push: PushNotification, over connection: PushGateway.ConnectionID?, at device: Int) {
    if let connection {
      guard devices[device].pushConnection == connection else { return }
    }
    let received = carried(push, to: device)
    act(device) { $0.pushArrived(received, at: $1.monotonic) }
  }

  /// The notification as the device reads it.
  private mutating func carried(_ push: PushNotification, to device: Int) -> PushNotification {
    guard options.carriesMessages else { return push }
    do throws(PushLineError) {
      return try push.received()
    } catch {
      report(Finding(.message, "the push \(push) cannot be read: \(error)"), on: device)
      return push
    }
  }

  /// Delivers a notification to a device, as if the push service had sent it.
  package mutating func deliver(_ push: PushNotification, to device: Int) {
    pushArrived(push, over: nil, at: device)
  }

  // MARK: The push service's side

  mutating func greet(_ connection: PushGateway.ConnectionID, token: String, of device: Int) {
    guard cloud.isRunning else {
      return queue.add(.closed(device: device, connection, nil), at: now)
    }
    let moment = cloudMoment
    carryOut(cloud.process.gateway.hello(connection, token: token, device: devices[device].name, at: moment))
  }

  mutating func hangUp(_ connection: PushGateway.ConnectionID) {
    guard cloud.isRunning else { return }
    carryOut(cloud.process.gateway.closed(connection, at: cloudMoment))
  }

  /// Restarts the push service. Stored notifications are kept, and all connections end.
  package mutating func restartGateway() {
    note(.gateway, .start, "restarts")
    for device in devices.indices {
      guard let connection = devices[device].pushConnection else { continue }
      hangUp(connection)
      queue.add(.closed(device: device, connection, nil), at: now)
    }
  }

  /// Makes the push service forget the token of a device. The device learns it now, or when it connects next.
  package mutating func endPushToken(of device: Int) {
    guard let token = devices[device].coordinator.pushToken else { return }
    note(.gateway, .push, "the token of \(devices[device].name) is dead")
    let accounts = Set(devices.indices.compactMap { devices[$0].account }).sorted()
    for account in accounts { administer(.endPushToken(token), as: account) }
  }

  mutating func expirePushes() {
    guard cloud.isRunning else { return }
    carryOut(cloud.process.gateway.expire(at: cloudMoment))
  }

  mutating func carryOut(_ effects: [PushGateway.Effect]) {
    for effect in effects { carryOut(effect) }
    if let due = cloud.process.gateway.nextDeadline { scheduleExpiry(due) }
  }

  private mutating func scheduleExpiry(_ due: MonotonicTime) {
    guard cloud.expiryAt != due else { return }
    cloud.expiryAt = due
    queue.add(.gatewayTick, at: max(due, now))
  }

  private mutating func carryOut(_ effect: PushGateway.Effect) {
    switch effect {
    case .welcome(let connection, _, _):
      guard let device = connections[connection.number]?.device else { return }
      _ = send(.welcome(device: device, connection), over: LinkWay(device: device, direction: .push)) { fate in
        Arrow(.hello, from: .gateway, to: .device(device), "welcome", fate, TraceDetail(.setUp))
      }
    case .send(let connections, let pushes):
      for connection in connections {
        for push in pushes { send(push, over: connection) }
      }
    case .close(let connection, let reason):
      guard let device = connections[connection.number]?.device else { return }
      queue.add(
        .closed(device: device, connection, reason), at: now.advanced(byMilliseconds: draw(links[device].push.delay)))
    // No simulated device polls.
    case .answerPoll, .refusePoll: break
    case .fact(let fact): tell(fact)
    }
  }

  private mutating func send(_ push: PushNotification, over connection: PushGateway.ConnectionID) {
    guard let (device, token) = connections[connection.number] else { return }
    checkOrigin(of: push, on: device)
    checkAccount(of: push, to: token, on: device)
    let subject = FaultSubject(
      push, to: [], delivery(to: device, from: push.originDeviceID, subscriptionID: push.subscriptionID))
    let passed = pushFaults[device].pass(.push(push), about: subject, at: now, using: &cloud.generator)
    for (message, passage) in passed {
      guard case .push(let push) = message else { continue }
      send(push, passage, over: connection, to: device)
    }
  }

  private mutating func send(
    _ push: PushNotification, _ passage: PushFaults<Int, WakeMessage>.Passage,
    over connection: PushGateway.ConnectionID, to device: Int
  ) {
    let text = "push " + (push.notificationID.map { String($0.prefix(8)) } ?? "without ID")
    switch passage {
    case .dropped:
      devices[device].counters.lostPushes += 1
      let arrow = Arrow(.push, from: .gateway, to: .device(device), text, .dies(now, "dropped"))
      trace.add(TraceEvent(at: now, .arrow(arrow)))
    case .late(let delay):
      let due = now.advanced(byMilliseconds: delay)
      trace.add(TraceEvent(at: now, .arrow(Arrow(.push, from: .gateway, to: .device(device), text, .arrives(due)))))
      queue.add(.push(device: device, connection, push), at: due)
    case .passed:
      let isTold = send(.push(device: device, connection, push), over: LinkWay(device: device, direction: .push)) {
        fate in
        Arrow(.push, from: .gateway, to: .device(device), text, fate)
      }
      if isTold != nil { devices[device].counters.lostPushes += 1 }
    }
  }

  /// The way of a push to a device. Faults know devices by their names in the simulation, because a device ID may change.
  func delivery(
    to device: Int, from author: String?, subscriptionID: String? = nil, topic: String? = nil
  ) -> FaultSubject.Delivery {
    let authors = devices.indices.filter { devices[$0].coordinator.deviceID == author }.map { devices[$0].name }
    return FaultSubject.Delivery(
      to: [devices[device].name], from: author == nil ? [] : authors, subscriptionID: subscriptionID, topic: topic)
  }

  private mutating func tell(_ fact: PushFact) {
    guard case .handled(let handling) = fact else { return }
    switch handling.outcome {
    case .discarded(let reason):
      if reason == .deviceOffline, cloud.process.gateway.policy.timeToLive > 0 {
        let names = handling.devices.joined(separator: ", ")
        report(
          Violation(.lostPush, at: now, "a push for \(names) is discarded because the device is away, and not stored"),
          on: .gateway)
      }
      for name in handling.devices { if let device = device(named: name) { devices[device].counters.lostPushes += 1 } }
      note(.gateway, .push, "discarded for \(handling.devices.joined(separator: ", ")): \(reason.rawValue)")
    case .stored: note(.gateway, .push, "stored for \(handling.devices.joined(separator: ", "))")
    case .coalesced, .delivered, .excludedOrigin, .held: break
    }
  }
}
