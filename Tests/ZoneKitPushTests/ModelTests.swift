import ZoneKitPush
import ZoneKitRecords
import Testing

/// A deliberately simple second implementation of who should get what: it knows nothing of rooms, paths and queues.
private struct Model {
  struct Receiver {
    var token: String?
    var device: String?
    var account: Account
    var connection: ConnectionID?
    var isBlocked = false
    /// What waits, oldest first: at most one for a device that is away.
    var waiting: [Expected] = []
  }

  struct Expected: Equatable {
    var id: String
    var subscription: String
    var zone: ZoneID
  }

  let slot: PushGateway.SlotPolicy
  var receivers: [Receiver] = []
  var pending: [Notice] = []

  func matches(_ receiver: Receiver, _ notice: Notice) -> [Expected] {
    let database = notice.database
    guard receiver.account.user == database.user, receiver.account.container == database.container else { return [] }
    guard receiver.device == nil || receiver.device != notice.originDeviceID else { return [] }
    let zone = ZoneID(zoneName: notice.zoneID.zoneName, owner: .user(UserRecordName.of(user: database.user)))
    let loud = notice.subscriptions.filter { $0.notificationInfo != nil }.map {
      Expected(id: notice.notificationID, subscription: $0.subscriptionID, zone: zone)
    }
    guard loud.isEmpty, receiver.token == nil else { return loud }
    return [Expected(id: notice.notificationID, subscription: "watch", zone: zone)]
  }

  /// What each connection should be sent at the end of the turn; the rest starts to wait.
  mutating func endTurn() -> [ConnectionID: [Expected]] {
    var sent: [ConnectionID: [Expected]] = [:]
    for index in receivers.indices {
      let new = Self.newest(pending.flatMap { matches(receivers[index], $0) })
      guard !new.isEmpty else { continue }
      if let connection = receivers[index].connection, !receivers[index].isBlocked {
        sent[connection] = new
      } else {
        receivers[index].waiting += new
        settle(index)
      }
    }
    pending = []
    return sent
  }

  /// Cuts what waits down to what may wait.
  mutating func settle(_ index: Int) {
    let waiting = receivers[index].waiting
    guard receivers[index].connection == nil else { return receivers[index].waiting = Self.newest(waiting) }
    receivers[index].waiting = slot == .oldest ? Array(waiting.prefix(1)) : waiting.suffix(1)
  }

  static func newest(_ all: [Expected]) -> [Expected] {
    all.enumerated().filter { place, one in
      !all[(place + 1)...].contains { $0.subscription == one.subscription && $0.zone == one.zone }
    }.map(\.element)
  }
}

/// The real machine and the model side by side, under random events.
private struct Run {
  var gateway: PushGateway
  var model: Model
  var seed: SplitMix64
  var clock: Int64 = 0
  var lastConnection: UInt64 = 0
  var lastNotice = 0
  var delivered: [ConnectionID: [Model.Expected]] = [:]
  var sends = 0

  init(seed: UInt64, slot: PushGateway.SlotPolicy) {
    self.seed = SplitMix64(seed: seed)
    gateway = PushGateway(policy: PushGateway.Policy(isOpen: true, slot: slot))
    model = Model(slot: slot)
  }

  mutating func step() {
    clock += Int64.random(in: 0...5, using: &seed)
    switch Int.random(in: 0..<20, using: &seed) {
    case 0: register()
    case 1...3: hello()
    case 4: watch()
    case 5...6: close()
    case 7: block()
    case 8...9: drain()
    case 10: unregister()
    case 11...16: notify()
    default: endTurn()
    }
    #expect(gateway.counters.stored <= gateway.counters.registrations)
    #expect(gateway.counters.registrations == model.receivers.count { $0.token != nil })
    #expect(gateway.counters.watchers == model.receivers.count { $0.token == nil })
  }

  /// Between turns everything adds up, and the same things wait.
  mutating func check() {
    endTurn()
    #expect(gateway.counters.addUp)
    #expect(gateway.counters.delivered == sends)
    #expect(gateway.counters.stored == model.receivers.count { $0.connection == nil && !$0.waiting.isEmpty })
    #expect(gateway.counters.held == model.receivers.reduce(0) { $0 + ($1.connection == nil ? 0 : $1.waiting.count) })
  }

  /// Compares what the machine sends with what it should, and that no connection hears a thing twice.
  private mutating func expect(_ effects: [Effect], sends expected: [ConnectionID: [Model.Expected]]) {
    var sent: [ConnectionID: [Model.Expected]] = [:]
    for case .send(let connections, let notifications) in effects {
      for connection in connections {
        let news = notifications.map {
          Model.Expected(
            id: $0.notificationID ?? "", subscription: $0.subscriptionID ?? "", zone: $0.zoneID ?? ZoneID.defaultZone)
        }
        #expect(sent[connection] == nil, "one write a turn")
        sent[connection] = news
        for one in news { #expect(!delivered[connection, default: []].contains(one), "told twice") }
        delivered[connection, default: []] += news
        sends += news.count
      }
    }
    #expect(sent == expected)
  }

  private mutating func register() {
    endTurn()
    let device = "d\(Int.random(in: 0..<4, using: &seed))"
    let token = "t\(Int.random(in: 0..<6, using: &seed))"
    let account = randomAccount()
    guard !model.receivers.contains(where: { $0.token == token }) else { return }
    _ = gateway.register(PushRegistration(token: token, environment: .development, deviceID: device), for: account)
    model.receivers.append(Model.Receiver(token: token, device: device, account: account))
  }

  private mutating func unregister() {
    endTurn()
    let token = "t\(Int.random(in: 0..<6, using: &seed))"
    expect(gateway.unregister(token: token), sends: [:])
    model.receivers.removeAll { $0.token == token }
  }

  private mutating func hello() {
    endTurn()
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    let token = "t\(Int.random(in: 0..<6, using: &seed))"
    let effects = gateway.hello(connection, token: token, device: "x", at: moment(clock))
    guard let index = model.receivers.firstIndex(where: { $0.token == token }) else {
      #expect(effects.actions == [.close(connection, .badDeviceToken)])
      return
    }
    let waiting = model.receivers[index].waiting
    expect(effects, sends: waiting.isEmpty ? [:] : [connection: waiting])
    model.receivers[index].waiting = []
    model.receivers[index].connection = connection
    model.receivers[index].isBlocked = false
  }

  private mutating func watch() {
    endTurn()
    lastConnection += 1
    let connection = ConnectionID(lastConnection)
    let account = randomAccount()
    _ = gateway.watch(
      connection, user: account.user, container: account.container, at: moment(clock))
    model.receivers.append(Model.Receiver(account: account, connection: connection))
  }

  private mutating func close() {
    endTurn()
    guard let index = connectedReceiver(), let connection = model.receivers[index].connection else { return }
    expect(gateway.closed(connection, at: moment(clock)), sends: [:])
    model.receivers[index].connection = nil
    model.receivers[index].isBlocked = false
    model.settle(index)
    if model.receivers[index].token == nil { model.receivers.remove(at: index) }
  }

  private mutating func block() {
    endTurn()
    guard let index = connectedReceiver(), let connection = model.receivers[index].connection else { return }
    gateway.blocked(connection)
    model.receivers[index].isBlocked = true
  }

  private mutating func drain() {
    endTurn()
    guard let index = connectedReceiver(), let connection = model.receivers[index].connection else { return }
    let waiting = model.receivers[index].waiting
    expect(gateway.drained(connection, at: moment(clock)), sends: waiting.isEmpty ? [:] : [connection: waiting])
    model.receivers[index].waiting = []
    model.receivers[index].isBlocked = false
  }

  private mutating func notify() {
    lastNotice += 1
    let zone = ZoneID(zoneName: Name("zone \(Int.random(in: 0..<3, using: &seed))"))
    let origin = Bool.random(using: &seed) ? "d\(Int.random(in: 0..<4, using: &seed))" : nil
    let mute = Subscription(subscriptionID: "mute", kind: .database, notificationInfo: nil)
    let second = Subscription(subscriptionID: "second", kind: .zone(zone), notificationInfo: .silent)
    let subscriptions = [silent, mute, second].filter { _ in Bool.random(using: &seed) }
    let change = notice("n\(lastNotice)", in: randomAccount(), zone: zone, by: origin, for: subscriptions)
    gateway.notify(change, using: &seed)
    model.pending.append(change)
  }

  private mutating func endTurn() {
    expect(gateway.endTurn(at: moment(clock)) { _ in 0 }, sends: model.endTurn())
  }

  private mutating func connectedReceiver() -> Int? {
    model.receivers.indices.filter { model.receivers[$0].connection != nil }.randomElement(using: &seed)
  }

  private mutating func randomAccount() -> Account {
    let container: Name = Bool.random(using: &seed) ? "iCloud.test" : "iCloud.other"
    return Account(
      container: container, environment: .development, user: Bool.random(using: &seed) ? "nanny" : "parent")
  }
}

@Suite struct ModelTests {
  @Test(arguments: 0..<100 as Range<UInt64>, [PushGateway.SlotPolicy.newest, .oldest])
  func `the machine sends what a simple model sends`(seed: UInt64, slot: PushGateway.SlotPolicy) {
    var run = Run(seed: seed, slot: slot)
    for _ in 0..<300 { run.step() }
    run.check()
  }
}
