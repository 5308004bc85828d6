import Testing
import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `a message about tables` {
  private var test = TestTables()

  @Test mutating func `that writes a row is answered with the commit, and the channels learn of the row`() throws {
    let mara = try test.signUp("mara@example.test")
    guard case .rows(.done(let result))? = test.write("a", of: mara) else {
      return #expect(Bool(false), "the row was not written")
    }
    #expect(result.verdicts == [.inserted])
    #expect(test.changed.map(\.kind) == [.insert])
    #expect(test.count("things", of: mara) == 1)
  }

  @Test mutating func `that writes a row is refused if the claim of the row is not kept`() throws {
    let mara = try test.signUp("mara@example.test")
    test.base.process.tables?.store.failNextCommit(with: StoreError(.full, "no space", place: "accounts"))
    guard case .rows(.refused(let error))? = test.write("a", of: mara) else {
      return #expect(Bool(false), "another account could claim the row")
    }
    #expect(error.kind == .storeFailed)
    #expect(test.changed.isEmpty)
    #expect(test.count("things", of: mara) == 0)
    guard case .rows(.done(let result))? = test.write("a", of: mara) else {
      return #expect(Bool(false), "the row was not written when there was room")
    }
    #expect(result.verdicts == [.inserted])
    #expect(test.changed.map(\.kind) == [.insert])
  }

  @Test mutating func `that is refused gets the state of the sender's feed`() throws {
    let mara = try test.signUp("mara@example.test")
    _ = test.write("a", of: mara)
    let unreadable = RowError(.unreadableQuery, "no filter")
    guard
      case .rows(.refused(let read))? = test.ask(.unreadableRows(unreadable, table: "things"), from: .account(mara)),
      case .rows(.refused(let unknown))? = test.ask(
        .rows(.read("nothing", RowQuery(), isHead: false), RowDemands()), from: .account(mara))
    else { return #expect(Bool(false), "neither can be carried out") }
    #expect(read.kind == .unreadableQuery && read.feed != nil)
    #expect(unknown.kind == RowError.unknownTable("nothing").kind && unknown.feed == read.feed)
  }

  @Test mutating func `that is refused to somebody without an account is answered at once`() {
    let refusal = test.receive(.unreadableRows(RowError(.unreadableQuery, "no filter"), table: nil), from: .anonymous)
    #expect(refusal.reply?.answer == .rows(.refused(RowError(.unreadableQuery, "no filter"))))
  }

  @Test mutating func `that makes an account makes its own row once, with the name of the account`() throws {
    let mara = try test.signUp("mara@example.test", metadata: [JSON.Member("display_name", .string("Mara"))])
    guard case .maintained(.success(let reports))? = test.ask(.maintenance(.count, of: .account(mara))) else {
      return #expect(Bool(false), "the rows cannot be counted")
    }
    #expect(reports.map { $0.report.tables[0].living } == [1])
    guard
      case .rows(.done(let result))? = test.ask(
        .rows(.read("profiles", RowQuery(), isHead: false), RowDemands()), from: .account(mara))
    else { return #expect(Bool(false), "the row cannot be read") }
    let rows = try result.rows.rows(of: TestTables.profiles)
    #expect(rows.map { $0.values[1] } == [.text("Mara")])
  }

  @Test mutating func `that removes an account ends its channels and removes its rows`() throws {
    let mara = try test.signUp("mara@example.test")
    _ = test.write("a", of: mara)
    let socket = try test.open()
    _ = test.join(as: mara, on: socket)
    guard case .account(.account)? = test.ask(.account(.remove(mara))) else {
      return #expect(Bool(false), "the account was not removed")
    }
    #expect(test.effects.channels.answers.contains(.closed) && test.effects.events(to: socket) == 0)
    guard case .refused? = test.join(as: mara, on: socket).first else {
      return #expect(Bool(false), "the token of a removed account joins")
    }
    #expect(test.changed.map(\.kind) == [.delete])
    guard case .maintained(.success(let reports))? = test.ask(.maintenance(.count, of: .account(mara))) else {
      return #expect(Bool(false), "the rows cannot be counted")
    }
    #expect(reports == [])
  }

  @Test mutating func `that maintains accounts gets a report for each, or names the account that is missing`() throws {
    let mara = try test.signUp("mara@example.test")
    let ben = try test.signUp("ben@example.test")
    _ = test.write("a", of: mara)
    guard case .maintained(.success(let all))? = test.ask(.maintenance(.count, of: .all)),
      case .maintained(.success(let one))? = test.ask(.maintenance(.count, of: .named("ben@example.test"))),
      case .maintained(.failure(let error))? = test.ask(.maintenance(.count, of: .named("nobody@example.test")))
    else { return #expect(Bool(false), "the rows cannot be counted") }
    #expect(all.map(\.account.id) == [mara, ben] && all.map { $0.report.tables[1].living } == [1, 0])
    #expect(one.map(\.account.email) == ["ben@example.test"])
    #expect(error.message == "there is no account nobody@example.test")
  }

  @Test mutating func `that erases the records of a zone of rows makes events of the rows`() throws {
    let mara = try test.signUp("mara@example.test")
    _ = test.write("a", of: mara)
    let zone = ZoneID(zoneName: TestTables.app.zone)
    for (number, operation) in [Administration.eraseRecords(zone), .purgeZone(zone)].enumerated() {
      _ = test.write("b", UInt64(number + 2), of: mara)
      guard
        case .call(.zones)? = test.ask(
          .administration(operation, in: TestTables.app.database(of: mara)), from: .account(mara))
      else { return #expect(Bool(false), "\(operation) was not carried out") }
      #expect(!test.changed.isEmpty && test.changed.allSatisfy { $0.kind == .delete }, "\(operation)")
    }
  }

  @Test mutating func `that replaces an object leaves the old bytes to be removed, unless another upload needs them`()
    throws
  {
    let mara = try test.signUp("mara@example.test")
    func put(_ name: String, _ hash: String) -> ObjectRequest {
      .put(
        bucket: "photos", path: "\(mara.text)/\(name)",
        ObjectContent(hash: hash, size: 9, contentType: "image/png"), replaces: true)
    }
    let place = ObjectTurn.Place(hash: "1", database: TestTables.app.database(of: mara))
    guard case .object(.refused)? = test.ask(.object(put("a", "1")), from: .anonymous) else {
      return #expect(Bool(false), "somebody else uploads")
    }
    #expect(test.store(test.receive(.object(put("a", "1")), from: .account(mara))) == [place])
    #expect(test.base.process.takeUnusedBytes() == [])
    _ = test.store(test.receive(.object(put("a", "2")), from: .account(mara)))
    #expect(test.base.process.takeUnusedBytes() == [place])
    let (first, second) = (
      test.receive(.object(put("a", "1")), from: .account(mara)),
      test.receive(.object(put("b", "2")), from: .account(mara))
    )
    var both = first
    both.preparations += second.preparations
    _ = test.store(both)
    #expect(test.base.process.takeUnusedBytes() == [])
  }

  @Test func `that calls a function over many rows is resumed until it is answered`() throws {
    var test = TestTables(SwissCoin.tables)
    let mara = try test.signUp("mara@example.test")
    test.base.process.tables?.rows.limits.functionRows = 2
    let persons = (1...5).map { RowContent([.id: .uuid(UUID(high: 8, low: $0)), "name": .text("P")]) }
    _ = test.ask(
      .rows(.write("persons", RowWrite(persons, resolution: .merge)), RowDemands()), from: .account(mara))
    let argument = Array("{\"person_id\":\"\(UUID(high: 8, low: 1).text)\"}".utf8)
    let call = test.receive(.function("calculate-balance", argument: argument), from: .account(mara))
    var turns = 0
    var effects = test.base.endTurn()
    while effects.contains(.resume(call.ticket, afterMilliseconds: 1)) {
      turns += 1
      _ = test.base.process.resume(call.ticket, at: test.base.now, using: &test.base.generator)
      effects = test.base.endTurn()
    }
    guard case .function(.success)? = effects.replies.first?.answer else {
      return #expect(Bool(false), "the function was not answered")
    }
    #expect(turns >= 2)
  }
}
