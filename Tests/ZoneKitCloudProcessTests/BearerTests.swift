import Testing
import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `a request with a token` {
  private var test = TestTables()

  private static let read = CloudMessage.rows(.read("things", RowQuery(), isHead: false), RowDemands())
  private static let call = CloudMessage.function("none", argument: [])

  private func put(_ account: UUID, _ hash: String = "1") -> CloudMessage {
    .object(
      .put(
        bucket: "photos", path: "\(account.text)/a", ObjectContent(hash: hash, size: 9, contentType: "image/png"),
        replaces: true))
  }

  private func find(_ account: UUID) -> CloudMessage { .object(.find(bucket: "photos", path: "\(account.text)/a")) }

  /// The reply to a message that bears the token of an account.
  private mutating func reply(
    to message: CloudMessage, bearing account: UUID, until end: Int64 = .max
  ) -> CloudReply? {
    let reception = test.receive(message, bearing: account, until: end)
    if let reply = reception.reply { return reply }
    _ = test.store(reception)
    return test.effects.replies.first { $0.ticket == reception.ticket }
  }

  @Test mutating func `is that of its account until the token ends, with half a minute of leeway`() throws {
    let mara = try test.signUp("mara@example.test")
    _ = test.write("a", of: mara)
    test.base.milliseconds = 129_999
    #expect(reply(to: Self.read, bearing: mara, until: 100)?.answer?.rows?.count == 1)
    test.base.milliseconds = 130_000
    #expect(reply(to: Self.read, bearing: mara, until: 100)?.answer?.rows?.refusal?.kind == .expiredToken)
    #expect(reply(to: find(mara), bearing: mara, until: 100)?.answer == .object(.refused(.invalidToken)))
    #expect(test.receive(put(mara), bearing: mara, until: 100).preparations == [])
    guard case .failure(.refused(let refusal))? = reply(to: Self.call, bearing: mara, until: 100)?.answer?.function
    else {
      return #expect(Bool(false), "the function was called")
    }
    #expect(refusal.status == 401)
  }

  @Test mutating func `of a removed account, or without a token of this server, is refused`() throws {
    let (mara, ben) = (try test.signUp("mara@example.test"), try test.signUp("ben@example.test"))
    _ = test.ask(.account(.remove(mara)))
    let gone = RowError(.invalidToken, TokenProblem.unknownAccount.text)
    #expect(reply(to: Self.read, bearing: mara)?.answer == .rows(.refused(gone)))
    let forged = TableSender(.service, token: .failure(.signature))
    let reception = test.base.process.receive(
      Self.read, from: CloudSender(forged), at: test.base.now, using: &test.base.generator)
    #expect(reception.reply?.answer?.rows?.refusal?.kind == .invalidToken)
    #expect(reply(to: Self.read, bearing: ben)?.answer?.rows?.count == 0)
  }

  @Test mutating func `is judged by the clock of a fault`() throws {
    let mara = try test.signUp("mara@example.test")
    test.plant(.skewTokens(milliseconds: 60_000), on: .readRows, .getObject, times: 2)
    #expect(reply(to: Self.read, bearing: mara, until: 30)?.answer?.rows?.refusal?.kind == .expiredToken)
    #expect(reply(to: find(mara), bearing: mara, until: 30)?.answer == .object(.refused(.invalidToken)))
    #expect(reply(to: Self.read, bearing: mara, until: 30)?.answer?.rows?.count == 0)
  }

  @Test mutating func `is refused, lost, repeated or delayed by the faults that hit it`() throws {
    let mara = try test.signUp("mara@example.test")
    let busy = ServiceRefusal(503, code: "53100", "busy", retryAfter: 7)
    test.plant(.reject(busy), on: .upsertRows, .callFunction, times: 2)
    #expect(reply(to: write(1), bearing: mara)?.answer?.rows?.refusal?.refusal == busy)
    #expect(reply(to: Self.call, bearing: mara)?.answer == .function(.failure(.refused(busy))))
    test.base.process.faults.add(Fault(.loseRequest, on: FaultScope(tables: [.upsertRows]), times: 1))
    let lost = try #require(reply(to: write(1), bearing: mara))
    #expect(lost.answer == nil && lost.response == nil)
    #expect(test.count("things", of: mara) == 0)
    test.base.process.faults.add(
      Fault(.delayAnswer(milliseconds: 900), on: FaultScope(tables: [.upsertRows]), times: 1))
    test.base.process.faults.add(Fault(.repeatRequest, on: FaultScope(tables: [.upsertRows]), times: 1))
    let repeated = try #require(reply(to: write(1), bearing: mara))
    #expect(repeated.delayMilliseconds == 900 && repeated.answer?.rows?.verdicts == [.same])
    #expect(test.count("things", of: mara) == 1)
  }

  private func write(_ number: UInt64) -> CloudMessage {
    let content = RowContent([.id: .uuid(UUID(high: 9, low: number)), "name": .text("a")])
    return .rows(.write("things", RowWrite([content], resolution: .merge)), RowDemands())
  }

  @Test mutating func `uploads bytes that are asked for as often as a fault repeats it`() throws {
    let mara = try test.signUp("mara@example.test")
    test.base.process.faults.add(Fault(.repeatRequest, on: FaultScope(tables: [.putObject]), times: 1))
    let reception = test.receive(put(mara), bearing: mara)
    #expect(test.store(reception).map(\.hash) == ["1", "1"])
    #expect(test.effects.replies.map(\.ticket) == [reception.ticket])
    #expect(test.base.process.takeUnusedBytes() == [])
    guard case .object(.object)? = reply(to: find(mara), bearing: mara)?.answer else {
      return #expect(Bool(false), "the object is not there")
    }
    test.plant(.expireTokens, on: .putObject, times: 1)
    #expect(test.receive(put(mara, "2"), bearing: mara).reply?.answer == .object(.refused(.invalidToken)))
  }

  @Test mutating func `is refused if its bytes cannot be stored`() throws {
    let mara = try test.signUp("mara@example.test")
    let reception = test.receive(put(mara), bearing: mara)
    _ = test.store(reception, .unavailable("the disk is full"))
    #expect(test.effects.replies.map(\.answer) == [.object(.refused(.unavailable("the disk is full")))])
    #expect(reply(to: find(mara), bearing: mara)?.answer == .object(.refused(.notFound)))
    #expect(!test.base.process.hasWaiting)
  }

  @Test mutating func `to the accounts is verified as often as a fault repeats it, by the clock of the fault`() throws {
    test.base.process.faults.add(Fault(.repeatRequest, on: FaultScope(tables: [.readUser]), times: 1))
    test.plant(.skewTokens(milliseconds: 5_000), on: .readUser, times: 1)
    let request = AccountRequest.read
    let reception = test.base.process.receive(
      .unverified(request), from: CloudSender(TableSender()), at: test.base.now, using: &test.base.generator)
    let judged = test.base.now.wall.advanced(byMilliseconds: 5_000)
    let tickets = reception.preparations.compactMap { preparation -> Ticket? in
      guard case .verify(let ticket, request, at: judged) = preparation else { return nil }
      return ticket
    }
    #expect(tickets.count == 2 && tickets.last == reception.ticket)
    for ticket in tickets {
      _ = test.base.process.verified(
        ticket, .refused(.noBearer), at: test.base.now, using: &test.base.generator)
    }
    test.endTurn()
    #expect(test.effects.replies.map(\.ticket) == [reception.ticket])
    #expect(test.effects.replies.first?.answer == .account(.failure(.noBearer)))
    test.plant(.endSession, on: .refreshSession, times: 1)
    let ended = test.base.process.receive(
      .unverified(.refresh(token: "t")), from: CloudSender(TableSender()), at: test.base.now,
      using: &test.base.generator)
    #expect(ended.reply?.answer == .account(.failure(.endedSession)) && ended.preparations == [])
  }
}

extension RowResponse {
  /// The number of rows; nil if the request was refused.
  fileprivate var count: Int? { if case .done(let result) = self { result.rows.count } else { nil } }
  /// The verdicts; nil if the request was refused.
  fileprivate var verdicts: [RowVerdict]? { if case .done(let result) = self { result.verdicts } else { nil } }
  /// The error; nil if the request was carried out.
  fileprivate var refusal: RowError? { if case .refused(let error) = self { error } else { nil } }
}
