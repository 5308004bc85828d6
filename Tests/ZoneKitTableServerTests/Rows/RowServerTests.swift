import Testing
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

private typealias T = TestRows

private func time(_ milliseconds: Int64) -> RowValue { .timestamp(WallTime(milliseconds: milliseconds)) }

@Suite struct `the server of rows` {
  @Test func `gives each row of a write its own stamp, and stamps rise`() {
    var test = T()
    #expect(
      test.write([T.thing(1, "a"), T.thing(2, "b"), T.thing(3, "c")]).verdicts == [.inserted, .inserted, .inserted])
    test.now = test.now.advanced(byMilliseconds: -5)
    #expect(test.write([T.thing(1, "d")]).verdicts == [.updated])
    let start: Int64 = 1_777_878_489_000
    #expect(test.rows().map { $0[.updatedAt, T.table] } == [time(start + 1), time(start + 2), time(start + 3)])
    #expect(test.rows().compactMap { $0["name", T.table].text } == ["b", "c", "d"])
  }

  @Test func `lets requests of a turn see those before them, in one commit`() {
    var test = T()
    for name in ["a", "b"] {
      guard
        case .submit(let transaction, let database, let caller) = test.server.receive(
          .write("things", RowWrite([T.thing(1, name)], resolution: .merge)), from: test.caller, at: test.now,
          accounts: &test.accounts, using: &test.generator)
      else { return }
      test.zones.transact(
        transaction, ticket: .init(1), in: database, from: caller, at: test.now, using: &test.generator)
    }
    var verdicts: [[RowVerdict]] = []
    for case .transacted(_, let result) in test.zones.endTurn(using: &test.generator) {
      verdicts.append(test.server.answer(to: result).response.verdicts)
    }
    #expect(verdicts == [[.inserted], [.updated]])
    #expect(test.names() == ["b"])
  }

  @Test func `answers a repeat with the row it holds, and changes nothing`() {
    var test = T()
    let sent = T.thing(1, "a", [.editedAt: time(5), .changedBy: .text("d:1")])
    #expect(test.write([sent]).verdicts == [.inserted])
    #expect(test.write([T.thing(1, "b", [.editedAt: time(6), .changedBy: .text("e:1")])]).verdicts == [.updated])
    let before = test.rows()
    let response = test.write([sent])
    #expect(response.verdicts == [.repeat] && response.rows == before)
    #expect(test.rows() == before && test.changes.isEmpty)
    #expect(test.rows(of: "conflict_log").count == 1)
  }

  @Test func `logs the loser of a conflict once, with the rule`() throws {
    var test = T()
    _ = test.write([T.thing(1, "a", [.editedAt: time(9), .changedBy: .text("d:1")])])
    let older = T.thing(1, "b", [.editedAt: time(5), .changedBy: .text("e:3")])
    for _ in 0..<2 { #expect(test.write([older]).verdicts == [.kept]) }
    #expect(test.names() == ["a"])
    let log = test.rows(of: "conflict_log")
    let table = OwnTable.conflicts.table
    #expect(log.count == 1)
    let entry = try #require(log.first)
    #expect(entry["rule", table] == .text("editedAt") && entry["loser_device", table] == .text("e"))
    #expect(entry["table_name", table] == .text("things") && entry["key", table] == .text(T.id(1).text))
    let loser = try JSON(parsing: entry["loser", table].text ?? "")
    #expect(loser["name"] == "b" && loser["changed_by"] == "e:3")
  }

  @Test func `writes all rows of a request or none`() {
    var test = T()
    let broken = T.thing(2, "b", ["parent_id": .uuid(T.id(9))])
    #expect(test.write([T.thing(1, "a"), broken]).error?.kind == .brokenReference)
    #expect(test.write([T.thing(1, "a"), T.thing(2, nil)]).error == .missing("name", of: "things"))
    #expect(test.write([T.thing(1, "a"), T.thing(1, "b")]).error?.kind == .rowTwice)
    #expect(test.names().isEmpty)
    #expect(test.write([T.thing(2, "b", ["parent_id": .uuid(T.id(1))]), T.thing(1, "a")]).error == nil)
  }

  @Test(arguments: [RowWrite.Resolution.merge, .ignore, .refuse])
  func `refuses a row without a required column, also if the row is there`(resolution: RowWrite.Resolution) {
    var test = T()
    _ = test.write([T.thing(1, "a", ["amount": .float8(2)])])
    for content in [T.thing(1, nil, ["amount": .float8(3)]), T.thing(1, nil, ["name": .null])] {
      #expect(test.write([content], resolution).error == .missing("name", of: "things"))
    }
    #expect(test.names() == ["a"])
    let one = RowQuery(filters: [.compare(.id, .equal, .uuid(T.id(1)))])
    #expect(test.ask(.update("things", RowContent(["amount": .float8(3)]), one)).verdicts == [.updated])
  }

  @Test func `refuses an insert of a key that exists, and ignores it if that is asked`() {
    var test = T()
    _ = test.write([T.thing(1, "a")])
    #expect(test.write([T.thing(1, "b")], .refuse).error?.kind == .duplicateKey)
    let ignored = test.write([T.thing(1, "b"), T.thing(2, "c")], .ignore)
    #expect(ignored.rows.compactMap { $0["name", T.table].text } == ["c"])
    #expect(test.names() == ["a", "c"])
  }

  @Test func `deletes the rows that a row owns with it, and restores those`() {
    var test = T()
    _ = test.write([T.thing(1, "a")])
    let parts = [1, 2].map { RowContent([.id: .uuid(T.id($0 + 20)), "thing_id": .uuid(T.id(1)), "number": .int4(1)]) }
    _ = test.write(parts, in: "parts")
    _ = test.write(
      [RowContent([.id: .uuid(T.id(21)), "thing_id": .uuid(T.id(1)), .deletedAt: time(3)])], in: "parts")
    let deleted = RowContent([.deletedAt: time(7), .editedAt: time(test.now.milliseconds + 50)])
    let one = RowQuery(filters: [.compare(.id, .equal, .uuid(T.id(1)))])
    #expect(test.ask(.update("things", deleted, one)).verdicts == [.updated])
    #expect(test.rows(of: "parts").map { $0[.deletedAt, T.parts] } == [time(3), time(7)])
    #expect(test.rows(of: "parts").last?[.editedAt, T.parts] == time(test.now.milliseconds + 50))
    #expect(test.ask(.update("things", RowContent([.deletedAt: .null]), one)).verdicts == [.updated])
    #expect(Set(test.rows(of: "parts").map { $0[.deletedAt, T.parts] }) == [time(3), .null])
  }

  @Test func `deletes a row that is edited or made while the row that owns it is deleted, and restores both`() {
    var test = T()
    _ = test.write([T.thing(1, "a")])
    func part(_ number: UInt64, _ value: Int32) -> RowContent {
      RowContent([
        .id: .uuid(T.id(number)), "thing_id": .uuid(T.id(1)), "number": .int4(value), .deletedAt: .null,
        .editedAt: time(test.now.milliseconds + Int64(value)),
      ])
    }
    _ = test.write([part(21, 1)], in: "parts")
    let one = RowQuery(filters: [.compare(.id, .equal, .uuid(T.id(1)))])
    _ = test.ask(
      .update("things", RowContent([.deletedAt: time(7), .editedAt: time(test.now.milliseconds + 50)]), one))
    let answer = test.write([part(21, 90), part(22, 91)], in: "parts")
    #expect(answer.verdicts == [.updated, .inserted])
    #expect(answer.rows.map { $0[.deletedAt, T.parts] } == [time(7), time(7)])
    #expect(answer.rows.map { $0["number", T.parts] } == [.int4(90), .int4(91)])
    #expect(test.write([part(21, 90)], in: "parts").verdicts == [.same])
    _ = test.ask(.update("things", RowContent([.deletedAt: .null]), one))
    #expect(test.rows(of: "parts").map { $0[.deletedAt, T.parts] } == [.null, .null])
  }

  @Test func `removes rows for good with those that they own, and lists them`() {
    var test = T()
    _ = test.write([T.thing(1, "a"), T.thing(2, "b", ["parent_id": .uuid(T.id(1))])])
    _ = test.write([RowContent([.id: .uuid(T.id(21)), "thing_id": .uuid(T.id(2))])], in: "parts")
    func remove(_ number: UInt64) -> RowRequest {
      .delete("things", RowQuery(filters: [.compare(.id, .equal, .uuid(T.id(number)))]))
    }
    #expect(test.ask(remove(1)).error?.kind == .brokenReference)
    #expect(test.ask(remove(2)).rows.compactMap { $0["name", T.table].text } == ["b"])
    #expect(test.changes.flatMap(\.changes).map(\.kind) == [.delete])
    #expect(test.ask(remove(2)).rows.isEmpty)
    #expect(test.rows(of: "parts").isEmpty && test.names() == ["a"])
    let deletions = test.rows(of: "row_deletions")
    #expect(deletions.compactMap { $0["key", OwnTable.deletions.table].text } == [T.id(2).text, T.id(21).text])
    #expect(test.write([T.thing(2, "c")]).verdicts == [.inserted])
    #expect(test.rows(of: "row_deletions").count == 1)
  }

  @Test func `states the feed: its life, its newest stamp, and how far deletions were forgotten`() {
    var test = T()
    _ = test.write([T.thing(1, "a")])
    _ = test.ask(.delete("things", RowQuery(filters: [.test(.id, .notNull)])))
    let before = test.ask(.read("things", RowQuery(), isHead: false)).result?.feed
    #expect(before?.newest == test.now.advanced(byMilliseconds: 1) && before?.horizon == WallTime(milliseconds: 0))
    test.zones.administer(
      .purgeTombstones(.init(zoneName: T.app.zone), before: test.now.advanced(byMilliseconds: 90)), ticket: .init(2),
      in: T.app.database(of: T.mara), from: .init(user: .init(T.mara.text)), at: test.now, using: &test.generator)
    _ = test.zones.endTurn(using: &test.generator)
    let after = test.ask(.read("row_deletions", RowQuery(), isHead: false)).result?.feed
    #expect(after?.incarnation == before?.incarnation && after?.horizon == before?.newest)
  }

  @Test func `pages through rows by stamps, each once, and not beyond the stated one`() {
    var test = T()
    for number in 1...7 { _ = test.write([T.thing(UInt64(number), "n\(number)")]) }
    var cursor = WallTime(milliseconds: 0)
    var names: [String] = []
    let newest = test.now.advanced(byMilliseconds: 4)
    while true {
      let page = test.rows(
        of: "things",
        RowQuery(
          filters: [
            .compare(.updatedAt, .greater, .timestamp(cursor)), .compare(.updatedAt, .lessOrEqual, .timestamp(newest)),
          ],
          order: [RowQuery.Order(.updatedAt), RowQuery.Order(.id)], limit: 2))
      guard let last = page.last?[.updatedAt, T.table].time else { break }
      names += page.compactMap { $0["name", T.table].text }
      cursor = last
    }
    #expect(names == ["n1", "n2", "n3", "n4", "n5"])
  }

  @Test func `takes and gives as many rows as its limits say, and no more`() {
    var test = T()
    test.server.limits.writtenRows = 3
    test.server.limits.answeredRows = 2
    test.server.limits.rowBytes = 400
    let things = (1...4).map { T.thing(UInt64($0), "n\($0)") }
    #expect(test.write(things).error?.kind == .unreadableBody)
    #expect(test.write(Array(things.prefix(3))).verdicts.count == 3)
    #expect(test.names() == ["n1", "n2"])
    #expect(test.rows(of: "things", RowQuery(order: [RowQuery.Order("name")], limit: 9)).count == 2)
    #expect(test.write([T.thing(9, String(repeating: "x", count: 400))]).error?.kind == .rowTooLarge)
  }

  @Test func `gives the verdicts of a plain second arbiter for anything that several devices send`() {
    var generator = SplitMix64(seed: 23)
    for _ in 0..<40 {
      var test = T()
      var plain = PlainArbiter()
      for number in 1...30 {
        test.now = test.now.advanced(byMilliseconds: Int64.random(in: 0...3, using: &generator))
        let device = Int.random(in: 0..<3, using: &generator)
        var sent = T.thing(
          1, "\(number)-\(device)",
          [
            .editedAt: time(Int64.random(in: 1...20, using: &generator)), .changedBy: .text("d\(device):\(number)"),
            .deletedAt: Bool.random(using: &generator) ? .null : time(5),
          ])
        if Bool.random(using: &generator) { sent[.updatedAt] = test.rows().first?[.updatedAt, T.table] }
        if let last = plain.sent.last, Int.random(in: 0..<5, using: &generator) == 0 { sent = last }
        let expected = plain.verdict(on: sent, over: test.rows().first)
        #expect(test.write([sent]).verdicts == [expected])
      }
    }
  }

  @Test func `counts, and refuses what is beyond the end or not one row`() {
    var test = T()
    _ = test.write([T.thing(1, "a"), T.thing(2, "b"), T.thing(3, "c")])
    let result = test.ask(.read("things", RowQuery(limit: 2), isHead: false), RowDemands(countsRows: true)).result
    #expect(result?.total == 3 && result?.rows.count == 2)
    let beyond = test.ask(.read("things", RowQuery(offset: 4), isHead: false), RowDemands(countsRows: true)).error
    #expect(beyond?.kind == .offsetBeyondEnd && beyond?.rowCount == 3)
    let single = RowDemands(isSingle: true)
    #expect(test.ask(.read("things", RowQuery(), isHead: false), single).error == .notOne(3))
    let refused = test.write([T.thing(4, "d"), T.thing(5, "e")], .merge, single)
    #expect(refused.error == .notOne(2) && refused.errorFeed == result?.feed)
    #expect(test.names() == ["a", "b", "c"])
  }
}

/// The rules for one row, written a second time and without regard to cost: who wins by stamp, life and content.
private struct PlainArbiter {
  private(set) var sent: [RowContent] = []
  private var accepted: [String: RowContent] = [:]

  mutating func verdict(on content: RowContent, over row: Row?) -> RowVerdict {
    sent.append(content)
    let author = content[.changedBy]?.text ?? ""
    let device = String(author.prefix { $0 != ":" })
    var unseen = content
    unseen[.updatedAt] = nil
    guard let row else {
      accepted[device] = unseen
      return .inserted
    }
    if accepted[device] == unseen { return .repeat }
    let isSame = content["name"] == row["name", T.table] && content[.deletedAt] == row[.deletedAt, T.table]
    if isSame { return .same }
    let stored = row[.editedAt, T.table].time?.milliseconds ?? 0
    var stamp = content[.editedAt]?.time?.milliseconds ?? 0
    if content[.updatedAt] == row[.updatedAt, T.table] { stamp = max(stamp, stored + 1) }
    let isLiving = (content[.deletedAt] == .null, row[.deletedAt, T.table] == .null)
    let wins =
      stamp != stored
      ? stamp > stored
      : isLiving.0 != isLiving.1
        ? isLiving.0 : isGreater(content, row)
    if wins { accepted[device] = unseen }
    return wins ? .updated : .kept
  }

  private func isGreater(_ content: RowContent, _ row: Row) -> Bool {
    let names = (content["name"]?.text ?? "", row["name", T.table].text ?? "")
    return Array(names.1.utf8).lexicographicallyPrecedes(Array(names.0.utf8))
  }
}

@Suite struct `rows of several accounts` {
  @Test func `are seen and changed by their account alone`() {
    var test = T()
    _ = test.write([T.thing(1, "a")])
    test.caller = RowCaller(.account(T.ben))
    #expect(test.names().isEmpty)
    #expect(test.write([T.thing(1, "b")]).error == .foreignRow(of: "things", isHidden: true))
    #expect(test.write([T.thing(2, "b", [.ownerID: .uuid(T.mara)])]).error == .foreignRow(of: "things"))
    #expect(test.write([T.thing(2, "b", ["parent_id": .uuid(T.id(1))])]).error?.kind == .brokenReference)
    let part = RowContent([.id: .uuid(T.id(21)), "thing_id": .uuid(T.id(1))])
    #expect(test.write([part], in: "parts").error == .foreignRow(of: "parts"))
    let all = RowQuery(filters: [.test(.id, .notNull)])
    #expect(test.ask(.update("things", RowContent(["name": .text("x")]), all)).rows.isEmpty)
    #expect(test.ask(.delete("things", all)).rows.isEmpty)
    test.caller = RowCaller(.account(T.mara))
    #expect(test.names() == ["a"])
  }

  @Test func `are not there for nobody, who may write nothing`() {
    var test = T()
    _ = test.write([T.thing(1, "a")])
    test.caller = RowCaller(.anonymous)
    #expect(test.names().isEmpty)
    #expect(test.write([T.thing(2, "b")]).error?.kind == .notSignedIn)
    #expect(test.rows(of: "pg_publication_tables").count == 1)
  }

  @Test func `are written for their owners with the key of the service`() {
    var test = T()
    test.caller = RowCaller(.service)
    let rows = [T.thing(1, "a", [.ownerID: .uuid(T.mara)]), T.thing(2, "b", [.ownerID: .uuid(T.ben)])]
    #expect(test.write(rows).verdicts == [.inserted, .inserted])
    let part = RowContent([.id: .uuid(T.id(21)), "thing_id": .uuid(T.id(2))])
    #expect(test.write([part], in: "parts").verdicts == [.inserted])
    test.caller = RowCaller(.account(T.ben))
    #expect(test.names() == ["b"] && test.rows(of: "parts").count == 1)
  }

  @Test func `begin with a profile, which is made once and loses against every edit`() throws {
    var test = T()
    let request = try #require(test.server.profile(of: T.mara, name: "Mara"))
    #expect(test.ask(request).verdicts == [.inserted])
    #expect(test.ask(request).verdicts == [.same])
    let edit = RowContent([.id: .uuid(T.mara), "display_name": .text("M"), .editedAt: time(1)])
    #expect(test.write([edit], in: "profiles").verdicts == [.updated])
    #expect(test.ask(request).verdicts == [.same])
    #expect(test.rows(of: "profiles").first?["display_name", T.profiles] == .text("M"))
    #expect(test.write([RowContent(["display_name": .text("N")])], in: "profiles").verdicts == [.updated])
    let other = RowContent([.id: .uuid(T.ben)])
    #expect(test.write([other], in: "profiles").error == .foreignRow(of: "profiles"))
  }

  @Test func `cannot be written in the server's own tables`() {
    var test = T()
    for table in ["row_deletions", "conflict_log", "pg_publication_tables"] as [Name] {
      #expect(test.write([T.thing(1, "a")], in: table).error?.kind == .notAllowed)
    }
    #expect(test.ask(.read("things2", RowQuery(), isHead: false)).error == .unknownTable("things2"))
  }
}
