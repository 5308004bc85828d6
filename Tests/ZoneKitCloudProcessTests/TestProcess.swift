import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitPush
import ZoneKitRecords
import ZoneKitMemoryStores

/// A cloud's process under test, without a driver.
struct TestProcess {
  var process: CloudProcess<MemoryZoneStore, MemoryAccountStore>
  var generator = SplitMix64(seed: 1)
  var milliseconds: Int64 = 1_000

  init(_ policy: PushGateway.Policy = PushGateway.Policy(), over store: MemoryZoneStore = MemoryZoneStore()) {
    process = CloudProcess(store: store, limits: Limits(), policy: policy)
  }

  static let database = database(of: "nanny")
  static let notes = ZoneID(zoneName: "Notes")

  static func database(of user: Name) -> DatabaseID {
    DatabaseID(container: "c", environment: .development, user: user, scope: .private)
  }

  var now: Moment {
    Moment(wall: WallTime(milliseconds: milliseconds), monotonic: MonotonicTime(milliseconds: milliseconds))
  }

  mutating func receive(_ message: CloudMessage, from device: String = "A", of user: Name = "nanny") -> CloudReception {
    process.receive(message, from: CloudSender(Caller(user: user, deviceID: device)), at: now, using: &generator)
  }

  @discardableResult
  mutating func call(_ request: CloudRequest, from device: String = "A", of user: Name = "nanny") -> CloudReception {
    receive(.call(request, in: Self.database(of: user)), from: device, of: user)
  }

  /// Ends the turn. Returns what the driver has to carry out.
  mutating func endTurn() -> [CloudProcessEffect] {
    var effects: [CloudProcessEffect] = []
    while case let committed = process.commit(using: &generator), !committed.isEmpty {
      for effect in committed { effects += process.perform(effect, at: now, using: &generator) }
    }
    return effects + process.sendPushes(at: now) { _ in 100 }.map { .push($0) }
  }

  /// Lets the process serve a request in a turn of its own.
  mutating func ask(_ request: CloudRequest, from device: String = "A", of user: Name = "nanny") -> CloudResponse? {
    let reception = call(request, from: device, of: user)
    let reply = reception.reply ?? endTurn().replies.first { $0.ticket == reception.ticket }
    guard case .call(let response)? = reply?.answer else { return nil }
    return response
  }

  static func register(_ token: String, of device: String = "A") -> CloudRequest {
    .registerPushToken(PushRegistration(token: token, environment: .development, deviceID: device))
  }

  /// The tokens of registrations on the disk.
  func storedTokens(of user: Name = "nanny") -> [String] {
    process.zones.status(of: Self.database(of: user)).state.registrations.map(\.token)
  }

  /// Connects a device to the push service. Returns the answer to its hello.
  mutating func connect(_ token: String) -> [PushGateway.Effect] {
    process.gateway.hello(PushGateway.ConnectionID(1), token: token, device: "device", at: now)
  }

  /// Whether the push service would welcome a device with that token.
  func welcomes(_ token: String) -> Bool {
    var copy = self
    return copy.connect(token).contains { if case .welcome = $0 { true } else { false } }
  }

  static func save(_ name: Name) -> CloudRequest {
    .modifyRecords(
      ModifyRecords(
        zoneID: notes, operations: [RecordOperation(.create, recordName: name, recordType: "Note")], isAtomic: false))
  }
}

extension [CloudProcessEffect] {
  /// The replies, in their order.
  var replies: [CloudReply] { compactMap { if case .reply(let reply) = $0 { reply } else { nil } } }

  /// The number of commits of zones.
  var commits: Int { count { if case .fact(.committed) = $0 { true } else { false } } }

  /// The connections to which notifications are sent.
  var pushed: [PushGateway.ConnectionID] {
    flatMap { effect -> [PushGateway.ConnectionID] in
      if case .push(.send(let connections, _)) = effect { connections } else { [] }
    }
  }
}
