import Testing
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `a realtime socket of the cloud` {
  private var test = TestTables()

  /// The account of Mara, with a joined channel.
  private mutating func joined() throws -> (mara: UUID, socket: SocketID) {
    let mara = try test.signUp("mara@example.test")
    let socket = try test.open()
    guard case .joined? = test.join(as: mara, on: socket).first else {
      throw CloudError(.internalError, "the channel was not joined")
    }
    return (mara, socket)
  }

  @Test mutating func `gets the changes of its account after the answers to those who wrote them`() throws {
    let (mara, socket) = try joined()
    let ben = try test.signUp("ben@example.test")
    _ = test.write("a", 1, of: mara)
    #expect(test.effects.events(to: socket) == 1)
    let kinds = test.effects.map { if case .reply = $0 { "reply" } else if case .channel = $0 { "event" } else { "" } }
    #expect(kinds.filter { !$0.isEmpty } == ["reply", "event"])
    _ = test.write("b", 2, of: ben)
    #expect(test.effects.events(to: socket) == 0)
  }

  @Test mutating func `whose join a fault leaves without a reply has joined`() throws {
    let mara = try test.signUp("mara@example.test")
    let socket = try test.open()
    test.plant(.silentJoin, on: .joinChannel, times: 1)
    #expect(test.join(as: mara, on: socket) == [])
    _ = test.write("a", of: mara)
    #expect(test.effects.events(to: socket) == 1)
  }

  @Test mutating func `whose join a fault refuses has not joined`() throws {
    let mara = try test.signUp("mara@example.test")
    let socket = try test.open()
    test.plant(.refuseJoin(reason: "no room"), on: .joinChannel, times: 1)
    #expect(test.join(as: mara, on: socket) == [.refused("no room")])
    _ = test.write("a", 1, of: mara)
    #expect(test.effects.events(to: socket) == 0)
    #expect(test.join(as: mara, on: socket).count > 0)
    _ = test.write("b", 2, of: mara)
    #expect(test.effects.events(to: socket) == 1)
  }

  @Test mutating func `that a fault makes deaf gets no events before the end of the time`() throws {
    let mara = try test.signUp("mara@example.test")
    let socket = try test.open()
    test.plant(.deafJoin(milliseconds: 5_000), on: .joinChannel, times: 1)
    _ = test.join(as: mara, on: socket)
    _ = test.write("a", 1, of: mara)
    #expect(test.effects.events(to: socket) == 0 && test.effects.lostEvents == 1)
    test.base.milliseconds += 5_000
    _ = test.write("b", 2, of: mara)
    #expect(test.effects.events(to: socket) == 1 && test.effects.lostEvents == 0)
  }

  @Test mutating func `that a fault cuts is closed with the code, or without a word`() throws {
    let (mara, socket) = try joined()
    test.plant(.cutSocket(code: 1_011), on: .heartbeat, times: 1)
    #expect(test.send(.heartbeat, on: socket) == [.close(socket, code: 1_011)])
    #expect(test.send(.heartbeat, on: socket) == [])
    let other = try test.open()
    _ = test.join(as: mara, on: other)
    test.plant(.cutSocket(code: nil), on: .changeEvent, times: 1)
    _ = test.write("a", of: mara)
    #expect(test.effects.channels == [.cut(other)] && test.effects.lostEvents == 1)
    #expect(test.base.process.channelPlaces.isEmpty)
  }

  @Test mutating func `whose heartbeat a fault mutes gets no reply to it`() throws {
    let (_, socket) = try joined()
    test.plant(.muteHeartbeat, on: .heartbeat, times: 1)
    #expect(test.send(.heartbeat, on: socket) == [])
    #expect(test.send(.heartbeat, on: socket).answers == [.done])
  }

  @Test mutating func `joins with a token that counts at the clock of the fault`() throws {
    let mara = try test.signUp("mara@example.test")
    let socket = try test.open()
    test.plant(.skewTokens(milliseconds: 60_000), on: .joinChannel, times: 1)
    guard case .refused? = test.join(as: mara, on: socket, until: 30).first else {
      return #expect(Bool(false), "the token has ended at that clock")
    }
    guard case .joined? = test.join(as: mara, on: socket, until: 30).first else {
      return #expect(Bool(false), "the token is valid")
    }
    test.plant(.expireTokens, on: .joinChannel, times: 1)
    guard case .refused? = test.join(as: mara, on: socket).last else {
      return #expect(Bool(false), "the fault ends the token")
    }
  }

  @Test mutating func `gets an event that a fault delays when its time has come`() throws {
    let (mara, socket) = try joined()
    test.base.process.faults.add(
      Fault(.push(.delay(milliseconds: 2_000)), on: FaultScope(tables: [.changeEvent]), times: 1))
    _ = test.write("a", of: mara)
    #expect(test.effects.events(to: socket) == 0)
    #expect(test.base.process.nextChannelDeadline == test.base.now.monotonic.advanced(byMilliseconds: 2_000))
    test.base.milliseconds += 2_000
    #expect(test.base.process.tickChannels(at: test.base.now).events(to: socket) == 1)
  }

  @Test mutating func `is opened late, refused or not answered by faults`() {
    func opening(_ test: inout TestTables) -> SocketOpening {
      test.base.process.opening(
        key: nil, from: "home", device: "A", at: test.base.now, naming: { $0 }, using: &test.base.generator)
    }
    test.base.process.faults.add(
      Fault(.delayAnswer(milliseconds: 300), on: FaultScope(tables: [.openSocket]), times: 1))
    #expect(opening(&test) == .open(afterMilliseconds: 300))
    test.base.process.faults.add(Fault(.loseAnswer, on: FaultScope(tables: [.openSocket]), times: 1))
    #expect(opening(&test) == .refuse(nil, afterMilliseconds: 0))
    let refusal = ServiceRefusal(503, code: "", "later")
    test.plant(.reject(refusal), on: .openSocket, times: 1)
    #expect(opening(&test) == .refuse(refusal, afterMilliseconds: 0))
    #expect(opening(&test) == .open(afterMilliseconds: 0))
  }

  @Test mutating func `is refused to an address that opens too many`() {
    let limit = ChannelLimits().sockets
    let openings = (0...limit).map { _ in
      test.base.process.opening(
        key: nil, from: "home", device: nil, at: test.base.now, naming: { $0 }, using: &test.base.generator)
    }
    #expect(openings.prefix(limit).allSatisfy { $0 == .open(afterMilliseconds: 0) })
    guard case .refuse(let refusal?, afterMilliseconds: 0)? = openings.last else {
      return #expect(Bool(false), "there are too many")
    }
    #expect(refusal.status == 429 && refusal.retryAfter == 1)
  }

  @Test mutating func `gets the changes beyond a bound in later turns`() throws {
    let (mara, socket) = try joined()
    let bound = ChannelLimits().tellingsPerTurn
    let rows = (1...UInt64(bound)).map { RowContent([.id: .uuid(UUID(high: 9, low: $0)), "name": .text("n")]) }
    _ = test.ask(.rows(.write("things", RowWrite(rows, resolution: .merge)), RowDemands()), from: .account(mara))
    let first = test.effects.events(to: socket)
    #expect(first < rows.count && test.base.process.hasUntoldChanges)
    var all = first
    while test.base.process.hasUntoldChanges {
      test.endTurn()
      all += test.effects.events(to: socket)
    }
    #expect(all == rows.count)
  }
}
