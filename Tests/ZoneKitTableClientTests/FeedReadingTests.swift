import Testing
import ZoneKitRecords
import ZoneKitTables

@testable import ZoneKitTableClient

private typealias T = TestService

@Suite struct `a page of rows` {
  private var service = T()

  private func tables(_ requests: [RowRequest]) -> [Name] { requests.map(\.table) }

  @Test mutating func `has the rows of all tables in their order, and then the deletions`() throws {
    service.person(1, "Ann")
    service.person(2, "Ben")
    service.write("expenses", [RowContent([.id: .uuid(T.id(3)), "payer_id": .uuid(T.id(1))])])
    service.remove("persons", 2)
    let before = service.requests.count
    let page = try service.page(after: nil).get()
    #expect(
      tables(Array(service.requests[before...])) == ["persons", "friends", "expenses", "splits", "row_deletions"])
    #expect(page.page.changes.map(\.recordName) == [T.name("persons", 1), T.name("expenses", 3), T.name("persons", 2)])
    #expect(!page.moreComing)
    guard case .saved(let ann)? = page.page.changes.first else { return }
    let fields = try ann.fields.decoded()
    #expect(ann.recordType == "persons" && fields["name"] == .string("Ann"))
    #expect(fields[.ownerID] == nil && fields[.updatedAt] == nil && fields[.changedBy] == nil)
    #expect(ann.changeTag.text == "\(ann.modified.at.milliseconds)")
    #expect(ann.modified.author.deviceID == Author.unnamedDevice)
  }

  @Test mutating func `goes on where the one before ended, up to the newest stamp at the beginning of the round`()
    throws
  {
    for number in 1...5 { service.person(UInt64(number), "P\(number)") }
    let first = try service.page(after: nil, limit: 2).get()
    #expect(first.moreComing && first.page.count == 2)
    service.person(1, "changed")
    service.person(6, "late")
    let second = try service.page(after: first.token, limit: 2).get()
    let third = try service.page(after: second.token, limit: 2).get()
    #expect(second.page.changes.map(\.recordName) == [T.name("persons", 3), T.name("persons", 4)])
    #expect(third.page.changes.map(\.recordName) == [T.name("persons", 5)] && !third.moreComing)
    let next = try service.page(after: third.token, limit: 2).get()
    #expect(next.page.changes.map(\.recordName) == [T.name("persons", 1), T.name("persons", 6)])
  }

  @Test mutating func `has all rows and deletions of a service that sends fewer than it was asked for`() throws {
    service.server.limits.answeredRows = RowContext.leastAnswer
    for number in 1...120 { service.person(UInt64(number), "P\(number)") }
    let page = try service.page(after: nil).get()
    #expect(page.page.count == 120 && !page.moreComing)
    for number in 1...120 { service.remove("persons", UInt64(number)) }
    #expect(try service.page(after: page.token).get().page.count == 120)
  }

  @Test mutating func `for a hint has the tables that it names, and the deletions`() throws {
    service.person(1, "Ann")
    let token = try service.page(after: nil).get().token
    let before = service.requests.count
    _ = try service.page(after: token, types: ["splits", "persons"]).get()
    #expect(tables(Array(service.requests[before...])) == ["persons", "splits", "row_deletions"])
  }

  @Test mutating func `for a hint in a round that has begun finishes the round`() throws {
    for number in 1...3 { service.person(UInt64(number), "P\(number)") }
    let token = try service.page(after: nil, limit: 2).get().token
    let before = service.requests.count
    _ = try service.page(after: token, types: ["splits"]).get()
    #expect(
      tables(Array(service.requests[before...])) == ["persons", "friends", "expenses", "splits", "row_deletions"])
  }

  @Test mutating func `of another life of the zone needs all rows again, which devices offer`() throws {
    service.person(1, "Ann")
    let token = try service.page(after: nil).get().token
    service = T()
    service.generator = SplitMix64(seed: 2)
    service.person(1, "Ann")
    guard case .failure(let error) = service.page(after: token) else { return #expect(Bool(false)) }
    #expect(error.code == .changeTokenExpired && error.isAfterLoss)
    guard
      case .failure(let gone) = {
        var empty = T(); return empty.page(after: token)
      }()
    else {
      return #expect(Bool(false))
    }
    #expect(gone.code == .changeTokenExpired && gone.isAfterLoss)
  }

  @Test mutating func `after stamps that the service does not have any more needs all rows again`() throws {
    service.person(1, "Ann")
    let old = service
    service.person(2, "Ben")
    let token = try service.page(after: nil).get().token
    service = old
    guard case .failure(let error) = service.page(after: token) else { return #expect(Bool(false)) }
    #expect(error.code == .changeTokenExpired && error.isAfterLoss)
  }

  @Test mutating func `after deletions were forgotten that it has not seen needs all rows again`() throws {
    service.person(1, "Ann")
    service.person(2, "Ben")
    let token = try service.page(after: nil).get().token
    service.remove("persons", 2)
    let seen = try service.page(after: token).get().token
    service.forgetDeletions()
    guard case .failure(let error) = service.page(after: token) else { return #expect(Bool(false)) }
    #expect(error.code == .changeTokenExpired && !error.isAfterLoss)
    #expect(try service.page(after: seen).get().page.count == 0)
    let fresh = try service.page(after: nil).get()
    #expect(fresh.page.count == 1)
    #expect(try service.page(after: fresh.token).get().page.count == 0)
  }

  @Test mutating func `of a service that states no feed has no deletions and no end of rounds`() {
    let query = ZoneChangesQuery(zoneID: T.zoneID, token: nil)
    var exchange = RowExchange(.fetchZoneChanges([query]), app: T.app, account: T.account, deviceID: "D")
    var asked: [Name] = []
    while case .ask(let request) = exchange.step {
      asked.append(request.table)
      guard case .read(_, let query, _) = request else { return #expect(Bool(false)) }
      #expect(query.filters.count == 1)
      exchange.received(.done(RowResult(.rows([]))))
    }
    #expect(asked == ["persons", "friends", "expenses", "splits"])
  }

  @Test mutating func `that is refused names the table`() {
    let query = ZoneChangesQuery(zoneID: T.zoneID, token: nil)
    var exchange = RowExchange(.fetchZoneChanges([query]), app: T.app, account: T.account, deviceID: "D")
    exchange.received(.refused(ServiceRefusal(.unknownTable("persons"))))
    let error = CloudError(.invalidArguments, "persons: Could not find the table 'public.persons' in the schema cache")
    #expect(exchange.step == .answer(.failure(error)))
  }

  @Test mutating func `of an unknown zone or after a foreign token is an error of that zone`() {
    let queries = [
      ZoneChangesQuery(zoneID: ZoneID(zoneName: "Other"), token: nil),
      ZoneChangesQuery(zoneID: T.zoneID, token: ChangeToken("t2.x")),
    ]
    guard case .zoneChanges(let results) = service.answer(.fetchZoneChanges(queries)) else {
      return #expect(Bool(false))
    }
    let codes = results.map { result -> CloudErrorCode? in
      if case .failed(_, let error) = result { error.code } else { nil }
    }
    #expect(codes == [.zoneNotFound, .changeTokenExpired])
  }

  @Test func `misses nothing and brings nothing twice, whatever is written, removed and forgotten meanwhile`() throws {
    var generator = SplitMix64(seed: 7)
    for seed in 0..<60 {
      var service = T()
      service.generator = SplitMix64(seed: UInt64(seed))
      var reader = TestReader()
      for _ in 0..<40 {
        disturb(&service, using: &generator)
        guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
        let limit = Int.random(in: 1...5, using: &generator)
        let types: [Name]? = Bool.random(using: &generator) ? ["expenses", "persons"] : nil
        var inner = generator
        _ = try reader.read(from: &service, limit: limit, types: types) { service in
          if Int.random(in: 0..<3, using: &inner) == 0 { disturb(&service, using: &inner) }
        }
        generator = inner
      }
      try reader.readAll(from: &service)
      try reader.readAll(from: &service)
      var fresh = TestReader()
      try fresh.readAll(from: &service)
      #expect(reader.records == fresh.records)
      #expect(reader.versions.values.allSatisfy { $0 == 1 })
    }
  }

  private func disturb(_ service: inout T, using generator: inout SplitMix64) {
    let number = UInt64.random(in: 1...6, using: &generator)
    let text = RowValue.text("\(generator.next() % 1000)")
    service.now = service.now.advanced(byMilliseconds: Int64.random(in: 0...2, using: &generator))
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<4: service.write("persons", [RowContent([.id: .uuid(T.id(number)), "name": text])])
    case 4..<7:
      service.write("expenses", [RowContent([.id: .uuid(T.id(number + 10)), "title": text])])
    case 7..<9:
      service.write(
        "splits", [RowContent([.id: .uuid(T.id(number + 20)), "expense_id": .uuid(T.id(number + 10))])])
    case 9: service.remove("persons", number)
    case 10: service.remove("expenses", number + 10)
    default: service.forgetDeletions()
    }
  }
}

@Suite struct `a token of tables` {
  @Test func `is read as it was written`() {
    let tokens = [
      TableToken(),
      TableToken(
        incarnation: .max, cursors: ["a": WallTime(milliseconds: 1), "b": WallTime(milliseconds: .max)], table: "b",
        until: WallTime(milliseconds: 7)),
    ]
    for token in tokens { #expect(TableToken(token.changeToken) == token) }
    #expect(tokens[1].changeToken.text.hasPrefix("t1."))
  }

  @Test(arguments: ["", "t1.", "t1.e30", "t2.eyJjdXJzb3JzIjp7fX0", "t1.*", "t1.eyJjdXJzb3JzIjp7ImEiOiJ4In19"])
  func `is none in any other text`(text: String) { #expect(TableToken(ChangeToken(text)) == nil) }
}
