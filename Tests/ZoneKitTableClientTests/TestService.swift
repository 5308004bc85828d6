import ZoneKitCloud
import ZoneKitRecords
import ZoneKitMemoryStores
import ZoneKitTableServer
import ZoneKitTables

@testable import ZoneKitTableClient

/// A table server for tests of devices, over stores in memory: one request, one turn.
struct TestService {
  static let expenses = Table.owned(
    "expenses", quiet: 300,
    [
      Column("title", .text), Column("amount", .float8, default: .float8(0)),
      Column("payer_id", .uuid, refersTo: .to("persons")),
    ]
  )
  static let persons = Table.owned("persons", [Column("name", .text, isRequired: true)])
  static let splits = Table.parts(
    "splits", of: "expense_id",
    [
      Column("expense_id", .uuid, isRequired: true, refersTo: .owner("expenses")),
      Column("person_id", .uuid, refersTo: .to("persons")),
    ])
  static let friends = Table.pairs(
    "friends", Column("first_id", .uuid, isRequired: true, refersTo: .owner("persons")),
    Column("second_id", .uuid, isRequired: true, refersTo: .to("persons")))
  static let app = TableApp(
    name: "test", container: "c", environment: .development, zone: "Rows",
    schema: TableSchema([persons, friends, expenses, splits]),
    notices: ["expenses": TableNotice("expenseChanged", insertText: "New expense")],
    photos: TablePhotos(column: "photo_url", folders: ["persons": "people"], sizeLimit: 100))
  static let account = UUID(high: 1, low: 1)
  static let zoneID = ZoneID(zoneName: app.zone)
  static let journalID = ZoneID(zoneName: TableApp.journal)

  static func id(_ number: UInt64) -> UUID { UUID(high: 0xA000, low: number) }
  static func name(_ table: Name, _ number: UInt64) -> Name { RowKey([id(number)]).recordName(in: table) }

  var server = RowServer(app: app)
  var zones = ZoneServer(store: MemoryZoneStore())
  var accounts = MemoryAccountStore()
  var generator = SplitMix64(seed: 1)
  var now = WallTime(milliseconds: 1_777_878_489_000)
  /// The requests so far.
  private(set) var requests: [RowRequest] = []

  /// Carries a request for rows out.
  mutating func ask(_ request: RowRequest, as account: UUID = account) -> RowOutcome {
    requests.append(request)
    switch server.receive(
      request, from: RowCaller(.account(account)), at: now, accounts: &accounts, using: &generator)
    {
    case .answer(let response): return RowOutcome(response)
    case .submit(let transaction, let database, let caller):
      zones.transact(transaction, ticket: Ticket(1), in: database, from: caller, at: now, using: &generator)
      _ = accounts.commit()
      for case .transacted(_, let result) in zones.endTurn(using: &generator) {
        return RowOutcome(server.answer(to: result).response)
      }
      return .unanswered(.answerLost("there was no answer"))
    }
  }

  /// Carries a request of a coordinator out. `between` runs before each request for rows.
  mutating func answer(
    _ request: CloudRequest, of deviceID: String = "D", between: (inout TestService) -> Void = { _ in }
  ) -> CloudResponse {
    var exchange = RowExchange(request, app: Self.app, account: Self.account, deviceID: deviceID)
    while true {
      switch exchange.step {
      case .answer(let response): return response
      case .ask(let request):
        between(&self)
        exchange.received(ask(request))
      }
    }
  }

  /// Writes rows as another client does.
  mutating func write(_ table: Name, _ rows: [RowContent]) {
    _ = ask(.write(table, RowWrite(rows, resolution: .merge)))
  }

  mutating func person(_ number: UInt64, _ name: String) {
    write("persons", [RowContent([.id: .uuid(Self.id(number)), "name": .text(name)])])
  }

  mutating func remove(_ table: Name, _ number: UInt64) {
    _ = ask(.delete(table, RowQuery(filters: [.compare(.id, .equal, .uuid(Self.id(number)))])))
  }

  /// Forgets deletions up to now.
  mutating func forgetDeletions() {
    zones.administer(
      .purgeTombstones(Self.zoneID, before: now.advanced(byMilliseconds: 100_000)), ticket: Ticket(2),
      in: Self.app.database(of: Self.account), from: Caller(user: Name(Self.account.text)), at: now,
      using: &generator)
    _ = zones.endTurn(using: &generator)
  }

  /// A page of a zone's feed after that token.
  mutating func page(
    after token: ChangeToken?, limit: Int = 200, types: [Name]? = nil, of zoneID: ZoneID = zoneID,
    between: (inout TestService) -> Void = { _ in }
  ) -> Result<ZoneChanges, CloudError> {
    let query = ZoneChangesQuery(zoneID: zoneID, token: token, limit: limit, recordTypes: types)
    switch answer(.fetchZoneChanges([query]), between: between) {
    case .zoneChanges(let results):
      switch results.first {
      case .changes(let changes): return .success(changes)
      case .failed(_, let error): return .failure(error)
      case nil: return .failure(CloudError(.internalError, "no result"))
      }
    case .failure(let error): return .failure(error)
    case .zones, .records, .atomicFailure, .queries, .uploads, .assets, .databaseChanges, .subscriptions, .pushToken,
      .users, .shares:
      return .failure(CloudError(.internalError, "another answer"))
    }
  }
}

/// A device that reads the feed and keeps what it finds.
struct TestReader {
  private(set) var token: ChangeToken?
  /// The newest tag of each record.
  private(set) var records: [Name: Record] = [:]
  /// How often each version came since the last full fetch.
  private(set) var versions: [String: Int] = [:]

  /// Reads one page. Returns whether there is more.
  mutating func read(
    from service: inout TestService, limit: Int = 200, types: [Name]? = nil,
    between: (inout TestService) -> Void = { _ in }
  ) throws -> Bool {
    let page: ZoneChanges
    switch service.page(after: token, limit: limit, types: types, between: between) {
    case .success(let changes): page = changes
    case .failure(let error) where error.code == .changeTokenExpired:
      self = TestReader()
      return true
    case .failure(let error): throw error
    }
    for change in page.page.changes {
      switch change {
      case .saved(let record):
        versions["\(record.recordName)@\(record.changeTag.text)", default: 0] += 1
        records[record.recordName] = record
      case .deleted(let name, let tag):
        if let known = records[name], tag.isLater(than: known.changeTag) { records[name] = nil }
      }
    }
    token = page.token
    return page.moreComing
  }

  mutating func readAll(from service: inout TestService, limit: Int = 200) throws {
    while try read(from: &service, limit: limit) {}
  }
}
