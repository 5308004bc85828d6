import Testing
import ZoneKitCloud
import ZoneKitRecords

@Suite struct `faults of pushes` {
  private typealias Faults = PushFaults<Int, PushNotification>

  private var plan = FaultPlan()
  private var dice = SplitMix64(seed: 7)
  private var faults = Faults()

  private func push(_ id: String) -> PushNotification {
    var push = PushNotification(subject: .database, notificationID: id)
    (push.subscriptionID, push.zoneID) = ("all", ZoneID(zoneName: "Notes"))
    return push
  }

  private func subject(_ push: PushNotification, to receiver: String = "B", from author: String = "A") -> FaultSubject {
    FaultSubject(
      push, to: ["nanny"],
      FaultSubject.Delivery(to: [receiver, "token"], from: [author], subscriptionID: push.subscriptionID))
  }

  /// The IDs of what comes out for a push, with what happens to it.
  private mutating func pass(
    _ id: String, to receiver: Int = 1, _ fault: PushFault? = nil, at milliseconds: Int64 = 0
  ) -> [String] {
    faults.pass(push(id), to: receiver, fault, at: MonotonicTime(milliseconds: milliseconds)).map { message, passage in
      let id = message.notificationID ?? "-"
      return switch passage {
      case .passed: id
      case .dropped: "lost \(id)"
      case .late(let milliseconds): "\(id) after \(milliseconds)"
      }
    }
  }

  @Test mutating func `lose, double, delay or pass a push`() {
    #expect(pass("1") == ["1"])
    #expect(pass("2", .drop) == ["lost 2"])
    #expect(pass("3", .duplicate) == ["3", "3"])
    #expect(pass("4", .delay(milliseconds: 70)) == ["4 after 70"])
    #expect(pass("5", .withoutID) == ["-"])
    #expect(faults.isEmpty)
  }

  @Test mutating func `send a push behind the next one to the same receiver`() {
    #expect(pass("1", .swap) == [])
    #expect(pass("2", to: 2) == ["2"])
    #expect(pass("3", .drop) == ["lost 3", "1"])
    #expect(pass("4", .swap) == [])
    #expect(pass("5", .swap) == ["4"])
    #expect(pass("6") == ["6", "5"])
  }

  @Test mutating func `a push that is late or waits for the next one is held until then`() {
    func held(_ receiver: Int = 1, at milliseconds: Int64) -> [String?] {
      faults.held(for: receiver, at: MonotonicTime(milliseconds: milliseconds)).map(\.notificationID)
    }
    _ = pass("1", .delay(milliseconds: 70), at: 10)
    _ = pass("2", .swap, at: 20)
    _ = pass("3", to: 2, .delay(milliseconds: 5), at: 20)
    #expect(held(at: 30) == ["1", "2"])
    #expect(held(2, at: 24) == ["3"] && held(2, at: 25) == [])
    #expect(held(at: 80) == ["2"])
    _ = pass("4", at: 81)
    #expect(held(at: 81) == [])
    _ = pass("5", .delay(milliseconds: 70), at: 90)
    _ = faults.gone(1)
    #expect(held(at: 91) == [])
  }

  @Test mutating func `keep no push for a receiver that is gone, and let all go when they are released`() {
    for receiver in [3, 1, 2] { _ = pass("\(receiver)", to: receiver, .swap) }
    #expect(faults.gone(2)?.notificationID == "2")
    #expect(faults.release().map(\.message.notificationID) == ["1", "3"])
    #expect(faults.isEmpty && pass("4") == ["4"])
  }

  @Test mutating func `are used up in their order, one for each push`() {
    plan.add(Fault(.push(.drop), times: 2))
    plan.add(Fault(.push(.swap), after: 1, times: 1))
    plan.add(Fault(.push(.duplicate)))
    let (asked, before) = (subject(push("1")), dice)
    #expect(
      (0..<5).map { _ in plan.pushFault(on: asked, using: &dice) } == [.drop, .drop, .duplicate, .swap, .duplicate])
    #expect(plan.entries.map(\.hits) == [2, 1, 2])
    #expect(dice == before)
  }

  @Test mutating func `hit about as many pushes as their share says`() {
    plan.add(Fault(.push(.drop), perMille: 250))
    let asked = subject(push("1"))
    #expect((800...1200).contains((0..<4000).count { _ in plan.pushFault(on: asked, using: &dice) != nil }))
  }

  @Test(arguments: [
    ("receiver", "B", true), ("receiver", "token", true), ("receiver", "A", false), ("author", "A", true),
    ("author", "B", false), ("zone", "Notes", true), ("zone", "Other", false), ("subscription", "all", true),
    ("subscription", "other", false), ("user", "nanny", true), ("user", "ben", false), ("topic", "all", false),
    ("device", "A", false),
  ])
  mutating func `are limited to a receiver, an author, a zone, a subscription or an account`(
    member: String, value: String, hits: Bool
  ) {
    var scope = FaultScope()
    switch member {
    case "receiver": scope.receiver = value
    case "author": scope.author = value
    case "zone": scope.zoneName = Name(value)
    case "subscription": scope.subscriptionID = value
    case "topic": scope.topic = value
    case "device": scope.deviceID = value
    default: scope.user = Name(value)
    }
    plan.add(Fault(.push(.drop), on: scope))
    #expect((plan.pushFault(on: subject(push("1")), using: &dice) == .drop) == hits)
  }

  @Test mutating func `leave requests alone, and faults of requests leave pushes alone`() {
    plan.add(Fault(.push(.drop), times: 1))
    plan.add(Fault(.loseAnswer, times: 1))
    let caller = Caller(user: "nanny", deviceID: "B")
    let database = DatabaseID(container: "c", environment: .development, user: "nanny", scope: .private)
    guard case .faulty(let exchange) = plan.verdict(on: .listZones, from: caller, in: database, using: &dice) else {
      Issue.record("passed")
      return
    }
    #expect(exchange.faults == [2])
    #expect(plan.pushFault(on: subject(push("1")), using: &dice) == .drop)
    #expect(plan.pushFault(on: subject(push("2")), using: &dice) == nil)
  }

  @Test mutating func `keep their counts when the plan is set again with them`() {
    plan.add(Fault(.push(.drop), times: 1))
    _ = plan.pushFault(on: subject(push("1")), using: &dice)
    let (id, fault) = (plan.entries[0].id, plan.entries[0].fault)
    plan.set([(id, fault), (nil, Fault(.loseAnswer)), (id, fault)])
    #expect(plan.entries.map(\.hits) == [1, 0, 0])
    #expect(plan.entries.map(\.id) == [1, 2, 3])
    plan.set([(id, Fault(.push(.drop), times: 2))])
    #expect(plan.entries.map(\.hits) == [0])
  }

  @Test func `change what a push says, and nothing of one that is only lost or late`() {
    var given = push("n-1")
    given.payload = Array(#"{"aps":{}}"#.utf8)
    let altered = [PushFault.withoutID, .prune, .misaddress, .duplicate].map { $0.altered(given) }
    #expect(altered.map(\.notificationID) == [nil, nil, "n-1", "n-1"])
    #expect(altered.map(\.isPruned) == [false, true, false, false])
    #expect(altered.map { $0.subscriptionID == "all" } == [true, true, false, true])
    #expect(altered.map { $0.payload == nil } == [true, true, true, false])
  }
}
