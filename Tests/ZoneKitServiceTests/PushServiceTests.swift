import Testing
import ZoneKitEventLoop
import ZoneKitPush
import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitWire

@testable import ZoneKitService

/// The push socket over real sockets.
@Suite struct PushServiceTests {
  /// A push service without a cloud, and the faults of its notifications in their order.
  private final class Host: PushHost {
    private(set) var gateway: PushGateway
    var faults: ArraySlice<PushFault?>?
    var onPushes: ([PushGateway.Effect]) -> Void = { _ in }
    private var generator = SplitMix64(seed: 1)
    private let clock: SystemClock
    private let loop: Loop

    init(_ policy: PushGateway.Policy, clock: SystemClock, loop: Loop) {
      gateway = PushGateway(policy: policy)
      self.clock = clock
      self.loop = loop
    }

    func withGateway<Answer>(_ act: (inout PushGateway) -> Answer) -> Answer { act(&gateway) }

    func notify(_ notice: Notice) { gateway.notify(notice, using: &generator) }

    func sendPushes(measure: (PushNotification) -> Int) -> [PushGateway.Effect] {
      gateway.endTurn(at: clock.now, measure: measure)
    }

    var hasFaults: Bool { faults != nil }

    func pushFault(on subject: FaultSubject) -> PushFault? { faults?.popFirst() ?? nil }

    var swapsPushes: Bool { faults?.isEmpty == false }

    func delay(milliseconds: Int64, _ deliver: @escaping () -> Void) {
      let timer = Timer(on: loop) { deliver() }
      timer.schedule(after: milliseconds)
    }
  }

  /// A push service on a loopback socket and subscribers on the same loop.
  private final class Rig {
    let loop: Loop
    let host: Host
    let push: PushService
    let kinds = Kinds()
    private let listener: Listener
    private let watchdog: Timer
    private let firstTurn: Timer

    final class Kinds { var all: [Fact.Kind] = [] }

    init(_ policy: PushGateway.Policy = PushGateway.Policy(isOpen: true)) throws {
      let loop = try Loop()
      self.loop = loop
      let kinds = kinds
      let clock = SystemClock(loop: loop)
      host = Host(policy, clock: clock, loop: loop)
      let push = PushService(of: host, clock: clock, loop: loop) {
        kinds.all.append(Fact($0).kind)
      }
      self.push = push
      listener = try Listener(at: .tcp(host: "127.0.0.1", port: 0), on: loop) { push.accept($0) }
      firstTurn = Timer(on: loop) {}
      watchdog = Timer(on: loop) {
        Issue.record("what the test waits for did not happen within 30 s")
        loop.stop()
      }
    }

    func run(until condition: @escaping () -> Bool) {
      loop.onTurnEnd = { [push, loop] in
        push.endTurn()
        if condition() { loop.stop() }
      }
      firstTurn.schedule(after: 0)
      watchdog.schedule(after: 30_000)
      loop.run()
      watchdog.cancel()
    }

    func subscriber(_ hello: String) -> Subscriber { Subscriber(hello, at: listener.address, on: loop) }

    /// Registers a device's token for the nanny.
    func register(_ token: String, of device: String) {
      let registration = PushRegistration(token: token, environment: .development, deviceID: device)
      let account = PushGateway.Account(container: "c", environment: .development, user: "nanny")
      host.onPushes(host.withGateway { $0.register(registration, for: account) })
    }

    func end() {
      loop.closeAll()
      #expect(loop.openHandles == 0)
    }
  }

  /// A client of the push socket that keeps the lines it hears.
  private final class Subscriber {
    let stream: Connection
    private(set) var lines: [String] = []
    private(set) var isClosed = false
    private var reader = LineReader()

    init(_ hello: String, at address: Address, on loop: Loop) {
      stream = Connection(to: address, on: loop)
      stream.onRead = { [weak self] in self?.received($0) }
      stream.onClose = { [weak self] _ in self?.isClosed = true }
      stream.write(Array((hello + "\n").utf8))
    }

    private func received(_ bytes: UnsafeRawBufferPointer) {
      reader.append(bytes)
      do {
        while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      } catch {
        Issue.record("the push service sent a line that is too long: \(error)")
      }
    }

    /// The IDs of the notifications that came.
    var ids: [String] {
      lines.compactMap { line in (try? JSON(parsing: line))?["ck"]?["nid"]?.string }
    }
  }

  private static let database = DatabaseID(
    container: "c", environment: .development, user: "nanny", scope: .private)

  private func notice(_ id: String, by device: String? = nil) -> Notice {
    Notice(
      database: Self.database, zoneID: ZoneID(zoneName: Name("Log-\(id)")), notificationID: id, originDeviceID: device,
      committedAt: WallTime(milliseconds: 7),
      subscriptions: [Subscription(subscriptionID: "all", kind: .database, notificationInfo: .silent)])
  }

  private func hello(_ device: String) -> String { #"{"hello":{"token":"t-\#(device)","device":"\#(device)"}}"# }

  @Test func `a registered device is welcomed and gets its notifications in order`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let device = rig.subscriber(hello("A"))
    rig.run { device.lines.count == 1 }
    #expect(device.lines == [#"{"welcome":{"device":"A","stored":0}}"#])
    for id in ["1", "2"] { rig.host.notify(notice(id)) }
    rig.run { device.lines.count == 3 }
    #expect(device.ids == ["1", "2"])
    #expect(rig.kinds.all == [.tokenRegistered, .subscriberConnected, .notificationHandled, .notificationHandled])
    rig.end()
  }

  @Test func `the newest notification waits for a device that is away`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    for id in ["1", "2"] {
      rig.host.notify(notice(id))
      rig.push.endTurn()
    }
    let device = rig.subscriber(hello("A"))
    rig.run { device.lines.count == 2 }
    #expect(device.lines.first == #"{"welcome":{"device":"A","stored":1}}"#)
    #expect(device.ids == ["2"])
    rig.end()
  }

  @Test func `watchers get the same bytes and the origin gets none`() throws {
    let rig = try Rig()
    let watchers = ["A", "B", "C"].map { rig.subscriber(#"{"hello":{"user":"nanny","device":"\#($0)"}}"#) }
    rig.run { watchers.allSatisfy { $0.lines.count == 1 } }
    rig.host.notify(notice("1", by: "A"))
    rig.host.notify(notice("2"))
    rig.run { watchers[0].ids.count == 1 && watchers[1].ids.count == 2 && watchers[2].ids.count == 2 }
    #expect(watchers[0].ids == ["2"])
    #expect(watchers[1].lines == watchers[2].lines.map { $0.replacing(#""device":"C""#, with: #""device":"B""#) })
    rig.end()
  }

  /// Gives a rig the faults of a plan.
  private func disturb(_ rig: Rig, _ faults: PushFault?...) {
    rig.host.faults = faults[...]
  }

  private func send(_ rig: Rig, _ ids: String...) {
    for id in ids {
      rig.host.notify(notice(id, by: "B"))
      rig.push.endTurn()
    }
  }

  @Test func `faults lose, double and swap notifications on their way`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let device = rig.subscriber(hello("A"))
    rig.run { device.lines.count == 1 }
    disturb(rig, .drop, .duplicate, nil, .swap, nil)
    send(rig, "1", "2", "3", "4", "5")
    rig.run { device.lines.count == 6 }
    #expect(device.ids == ["2", "2", "3", "5", "4"])
    #expect(rig.push.disturbed == 3 && rig.kinds.all.count { $0 == .pushDisturbed } == 3)
    #expect(rig.push.gateway.counters.delivered == 5)
    rig.end()
  }

  @Test func `a delayed notification is overtaken, and a swapped one goes when no fault is left`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let device = rig.subscriber(hello("A"))
    rig.run { device.lines.count == 1 }
    disturb(rig, .delay(milliseconds: 50))
    send(rig, "1", "2")
    rig.run { device.lines.count == 3 }
    #expect(device.ids == ["2", "1"])
    disturb(rig, .swap)
    send(rig, "3")
    rig.run { device.lines.count == 4 }
    #expect(device.ids == ["2", "1", "3"])
    rig.end()
  }

  @Test func `a payload by hand arrives as it is, or waits, or is lost by a fault`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let payload = Array(#"{"aps":{"content-available":1},"own":[1,{"x":null}]}"#.utf8)
    var given = PushNotification()
    given.payload = payload
    #expect(rig.push.deliver(given, to: "t-A")?.map(\.result.outcome) == [.stored])
    let device = rig.subscriber(hello("A"))
    rig.run { device.lines.count == 2 }
    #expect(rig.push.deliver(given, to: "A")?.map(\.result.outcome) == [.delivered])
    disturb(rig, .drop)
    #expect(rig.push.deliver(given, to: "A")?.map(\.fault) == [.drop])
    #expect(rig.push.deliver(given, to: "nobody") == nil)
    rig.run { device.lines.count == 3 }
    #expect(
      device.lines.suffix(2) == [String(decoding: payload, as: UTF8.self), String(decoding: payload, as: UTF8.self)])
    rig.end()
  }

  @Test func `a hello and the rest of a line are awaited for a limited time, and nothing else`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let device = rig.subscriber(hello("A"))
    let silent = rig.subscriber("")
    let slow = rig.subscriber(#"{"hello":{"user":"nanny","device":"B"}}"#)
    slow.stream.write(Array("{".utf8))
    rig.run { device.lines.count == 1 && slow.lines.count == 1 }
    let now = rig.loop.now
    for step in [0, 4_000, 8_000] { rig.push.checkTimeLimits(at: now + Int64(step)) }
    rig.run { true }
    #expect(silent.lines.isEmpty && slow.lines.count == 1)
    for step in [8_000, PushService.lineTime + 1_000] { rig.push.checkTimeLimits(at: now + Int64(step)) }
    rig.run { silent.isClosed && slow.isClosed }
    #expect(silent.lines.count == 1 && silent.lines[0].contains("expected a hello within 10 s, found none"))
    #expect(slow.lines.count == 2 && slow.lines[1].contains("expected the rest of the line within 10 s, found none"))
    rig.host.notify(notice("1"))
    rig.run { device.ids == ["1"] }
    rig.end()
  }

  @Test(arguments: [
    ("{}", "BadMessage"), (#"{"hello":{"token":"none","device":"A"}}"#, "BadDeviceToken"),
    (#"{"hello":{"user":"nanny"}}"#, "Forbidden"),
  ])
  func `a hello that cannot be taken is answered with its reason and the connection ends`(
    hello: String, reason: String
  ) throws {
    let rig = try Rig(PushGateway.Policy(isOpen: false))
    let subscriber = rig.subscriber(hello)
    rig.run { subscriber.isClosed }
    #expect(subscriber.lines.count == 1)
    #expect(try JSON(parsing: subscriber.lines[0])["error"]?["reason"]?.string == reason)
    rig.end()
  }

  @Test func `a newer connection of a token replaces the older one`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let older = rig.subscriber(hello("A"))
    rig.run { older.lines.count == 1 }
    let newer = rig.subscriber(hello("A"))
    rig.run { older.isClosed && newer.lines.count == 1 }
    #expect(try JSON(parsing: older.lines[1])["error"]?["reason"] == "Replaced")
    rig.host.notify(notice("1"))
    rig.run { newer.ids == ["1"] }
    rig.end()
  }

  @Test func `notifications for a subscriber that does not read are held, and sent when it reads`() throws {
    let rig = try Rig()
    rig.register("t-A", of: "A")
    let device = rig.subscriber(hello("A"))
    rig.run { device.lines.count == 1 }
    device.stream.pauseReading()
    var sent = 0
    rig.run {
      for _ in 0..<200 {
        rig.host.notify(notice("\(sent)"))
        rig.push.endTurn()
        sent += 1
      }
      if rig.push.gateway.counters.held == 0 { Timer(on: rig.loop) {}.schedule(after: 0) }
      return rig.push.gateway.counters.held > 0
    }
    let held = rig.push.gateway.counters.held
    #expect(held < sent)
    device.stream.resumeReading()
    rig.run { rig.push.gateway.counters.held == 0 && device.ids.last == "\(sent - 1)" }
    rig.end()
  }

  @Test func `a stored notification expires by itself`() throws {
    let rig = try Rig(PushGateway.Policy(isOpen: true, timeToLive: 1))
    rig.register("t-A", of: "A")
    rig.host.notify(notice("1"))
    rig.push.endTurn()
    #expect(rig.push.gateway.counters.stored == 1)
    rig.run { rig.push.gateway.counters.stored == 0 }
    #expect(rig.push.gateway.counters.discarded(.expired) == 1)
    rig.end()
  }
}
