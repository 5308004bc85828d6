import Testing
import ZoneKitCloud
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `faults of events` {
  private var plan = FaultPlan()
  private var dice = SplitMix64(seed: 7)
  private var faults = EventFaults()
  private let now = MonotonicTime(milliseconds: 1_000)
  private static let users: [Name] = ["mara@example.test"]

  private func event(_ number: UInt64, sockets: [Int] = [1]) -> EventFaults.Event {
    let change = RowChange(
      table: "things", key: RowKey([TestRows.id(number)]), old: nil, new: nil,
      stamp: WallTime(milliseconds: Int64(number)))
    return EventFaults.Event(.row(change), sockets.map { ChannelDelivery(socket: SocketID($0), topic: "t", ids: [1]) })
  }

  private mutating func pass(_ event: EventFaults.Event, at time: MonotonicTime? = nil) -> EventFaults.Passage {
    let hits = plan.faults(on: FaultSubject(event.change, users: Self.users), using: &dice)
    var (plan, dice) = (plan, dice)
    defer { (self.plan, self.dice) = (plan, dice) }
    return faults.pass(event, hits, at: time ?? now) { delivery in
      let way = FaultSubject.Delivery(to: ["D\(delivery.socket.number)"], from: ["A"], topic: delivery.topic)
      return plan.pushFault(on: FaultSubject(event.change, users: Self.users, way), using: &dice)
    }
  }

  private func passage(_ events: EventFaults.Event...) -> EventFaults.Passage {
    var passage = EventFaults.Passage()
    passage.events = events
    return passage
  }

  @Test mutating func `lose, double and delay the events that they hit`() {
    let events = (1...4).map { event($0) }
    #expect(pass(events[0]) == passage(events[0]))
    plan.add(Fault(.push(.drop), times: 1))
    var lost = EventFaults.Passage()
    lost.dropped = events[1].deliveries
    #expect(pass(events[1]) == lost)
    plan.add(Fault(.push(.duplicate), times: 1))
    #expect(pass(events[2]) == passage(events[2], events[2]))
    plan.add(Fault(.push(.delay(milliseconds: 70)), times: 1))
    var late = events[3]
    late.delay = 70
    #expect(pass(events[3]) == passage(late))
  }

  @Test mutating func `send an event behind the next one`() {
    plan.add(Fault(.push(.swap), times: 1))
    #expect(pass(event(1)) == passage())
    #expect(pass(event(2)) == passage(event(2), event(1)))
    #expect(pass(event(3)) == passage(event(3)))
  }

  @Test mutating func `cut an event, or the sockets that get it`() {
    plan.add(Fault(.push(.prune), times: 1))
    #expect(pass(event(1)).events[0].deliveries[0].isCut)
    plan.add(Fault(.table(.cutSocket(code: nil)), times: 1))
    let cut = pass(event(2, sockets: [3, 4]))
    #expect(cut.cuts == [SocketID(3): nil, SocketID(4): nil] && cut.events.isEmpty)
    #expect(cut.dropped == event(2, sockets: [3, 4]).deliveries)
  }

  @Test mutating func `hit one receiver, author or topic, and each channel on its own`() {
    plan.add(Fault(.push(.drop), on: scope { $0.receiver = "D2" }))
    let both = event(1, sockets: [1, 2])
    let passed = pass(both)
    #expect(passed.events == [event(1, sockets: [1])] && passed.dropped == event(1, sockets: [2]).deliveries)
    plan = FaultPlan()
    for change: (inout FaultScope) -> Void in [{ $0.author = "B" }, { $0.topic = "u" }, { $0.subscriptionID = "t" }] {
      plan.add(Fault(.push(.drop), on: scope(change)))
    }
    #expect(pass(both) == passage(both))
    plan.add(Fault(.push(.duplicate), on: scope { $0.author = "A" }, times: 1))
    #expect(pass(both) == passage(event(1, sockets: [1]), event(1, sockets: [1, 2])))
    #expect(pass(both) == passage(both))
  }

  @Test mutating func `let a swapped event go when it is released, and lose it with its socket`() {
    plan.add(Fault(.push(.swap)))
    #expect(pass(event(1, sockets: [1, 2])) == passage())
    faults.closed(SocketID(2))
    #expect(faults.holdsEvents)
    #expect(faults.release() == passage(event(1, sockets: [1])))
    #expect(!faults.holdsEvents)
  }

  private func scope(_ change: (inout FaultScope) -> Void) -> FaultScope {
    var scope = FaultScope()
    change(&scope)
    return scope
  }

  @Test mutating func `keep a deaf channel from events until its time`() {
    faults.deafen(SocketID(2), topic: "t", until: now.advanced(byMilliseconds: 5))
    let both = event(1, sockets: [1, 2])
    let passed = pass(both)
    #expect(passed.events == [event(1, sockets: [1])] && passed.dropped == event(1, sockets: [2]).deliveries)
    #expect(pass(both, at: now.advanced(byMilliseconds: 5)) == passage(both))
    #expect(pass(event(1, sockets: [2])).events.isEmpty)
    faults.closed(SocketID(2))
    #expect(pass(both) == passage(both))
  }

  @Test mutating func `hit the events of one table, row or account`() {
    let record = RowKey([TestRows.id(2)]).recordName(in: "things")
    plan.add(Fault(.push(.drop), on: FaultScope(tables: [.changeEvent], table: "parts")))
    plan.add(Fault(.push(.drop), on: FaultScope(tables: [.changeEvent], user: "ben@example.test")))
    plan.add(Fault(.push(.drop), on: FaultScope(tables: [.changeEvent], recordNames: [record])))
    #expect(pass(event(1)) == passage(event(1)))
    #expect(pass(event(2)).events.isEmpty)
  }

  @Test(arguments: [
    (TableFaultAction.silentJoin, SocketFault.silent), (.refuseJoin(reason: "no"), .refuse(reason: "no")),
    (.deafJoin(milliseconds: 7), .deaf(milliseconds: 7)), (.cutSocket(code: 4000), .cut(code: 4000)),
  ])
  mutating func `of joins say what happens to them`(action: TableFaultAction, fault: SocketFault) throws {
    plan.add(Fault(.table(action), on: FaultScope(tables: [.joinChannel], table: "things")))
    let other = ChannelRequest(topic: "t", .join(ChannelJoin([ChannelEntry(table: "parts")])))
    #expect(FaultSubject(other, users: []).flatMap { plan.faults(on: $0, using: &dice) } == nil)
    let join = ChannelRequest(topic: "t", .join(ChannelJoin([ChannelEntry(table: "things")])))
    let subject = try #require(FaultSubject(join, users: []))
    #expect(plan.faults(on: subject, using: &dice)?.socketFault == fault)
  }
}
