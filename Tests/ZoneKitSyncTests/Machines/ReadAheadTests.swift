import Testing
import ZoneKitRecords

@testable import ZoneKitSync

@Suite struct `requests that read ahead` {
  private var requests = ReadAhead()
  private static let zone = ZoneID(zoneName: "Z")
  private static let other = ZoneID(zoneName: "Y")
  private let first = RequestID(number: 1)
  private let second = RequestID(number: 2)

  /// A request for pages of zones behind tokens; nil stands for the beginning.
  private static func ask(_ queries: (ZoneID, String?)...) -> CloudRequest {
    .fetchZoneChanges(queries.map { ZoneChangesQuery(zoneID: $0, token: $1.map { ChangeToken($0) }, limit: 7) })
  }

  /// Empty pages with those tokens.
  private static func pages(_ pages: (ZoneID, String, moreComing: Bool)...) -> CloudResponse {
    .zoneChanges(
      pages.map { zone, token, moreComing in
        .changes(ZoneChanges(zoneID: zone, page: RecordPage(), token: ChangeToken(token), moreComing: moreComing))
      })
  }

  private static func sent(_ effects: [ReadAhead.Effect]) -> [CloudRequest] {
    effects.compactMap { if case .send(let exchange) = $0 { exchange.request } else { nil } }
  }

  /// Makes a request that is sent at once.
  private mutating func send(_ request: CloudRequest, as id: RequestID) throws -> ReadAhead.Exchange {
    guard case .send(let exchange)? = requests.asked(request, as: id).first else {
      throw CloudError(.internalError, "the request was not sent")
    }
    return exchange
  }

  @Test mutating func `ask for the next page before this one is passed on`() throws {
    let exchange = try send(Self.ask((Self.zone, nil)), as: first)
    let page = Self.pages((Self.zone, "a", moreComing: true))
    let effects = requests.answered(exchange, .success(page))
    #expect(Self.sent(effects) == [Self.ask((Self.zone, "a"))])
    #expect(effects.last == .pass(first, .success(page)))
  }

  @Test mutating func `take the page under way for the coordinator's request, under its ID`() throws {
    let exchange = try send(Self.ask((Self.zone, nil)), as: first)
    let effects = requests.answered(exchange, .success(Self.pages((Self.zone, "a", moreComing: true))))
    guard case .send(let ahead)? = effects.first else { throw CloudError(.internalError, "nothing is read ahead") }
    #expect(requests.asked(Self.ask((Self.zone, "a")), as: second) == [])
    requests.settled()
    let last = Self.pages((Self.zone, "b", moreComing: false))
    #expect(requests.answered(ahead, .success(last)) == [.pass(second, .success(last))])
  }

  @Test mutating func `ignore a page that the coordinator does not ask for`() throws {
    let exchange = try send(Self.ask((Self.zone, nil)), as: first)
    let effects = requests.answered(exchange, .success(Self.pages((Self.zone, "a", moreComing: true))))
    guard case .send(let ahead)? = effects.first else { throw CloudError(.internalError, "nothing is read ahead") }
    let made = try send(.listZones, as: second)
    requests.settled()
    #expect(requests.answered(ahead, .success(Self.pages((Self.zone, "b", moreComing: true)))) == [])
    #expect(requests.answered(made, .success(.zones([]))) == [.pass(second, .success(.zones([])))])
  }

  @Test mutating func `are sent anew after the coordinator has reacted without asking for the page`() throws {
    let exchange = try send(Self.ask((Self.zone, nil)), as: first)
    _ = requests.answered(exchange, .success(Self.pages((Self.zone, "a", moreComing: true))))
    requests.settled()
    #expect(Self.sent(requests.asked(Self.ask((Self.zone, "a")), as: second)) == [Self.ask((Self.zone, "a"))])
  }

  @Test mutating func `go on with the zones that have more, each behind its own token`() throws {
    let exchange = try send(Self.ask((Self.zone, "z"), (Self.other, nil)), as: first)
    let both = Self.pages((Self.zone, "a", moreComing: true), (Self.other, "b", moreComing: true))
    #expect(Self.sent(requests.answered(exchange, .success(both))) == [Self.ask((Self.zone, "a"), (Self.other, "b"))])
    let one = Self.pages((Self.zone, "a", moreComing: false), (Self.other, "b", moreComing: true))
    #expect(Self.sent(requests.answered(exchange, .success(one))) == [Self.ask((Self.other, "b"))])
  }

  @Test mutating func `ask again for a zone for which a page had no room, as it was asked for`() throws {
    let postponed = ZoneChangesQuery(
      zoneID: Self.other, token: ChangeToken("y"), limit: 7, acknowledged: [ChangeTag("3")])
    guard case .fetchZoneChanges(let queries) = Self.ask((Self.zone, "z")) else { return }
    let exchange = try send(.fetchZoneChanges(queries + [postponed]), as: first)
    let deletion = RecordPage([.deleted(recordName: "r", changeTag: ChangeTag("4"))])
    let full = ZoneChangesResult.changes(
      ZoneChanges(zoneID: Self.zone, page: deletion, token: ChangeToken("a"), moreComing: false))
    let none = ZoneChangesResult.changes(
      ZoneChanges(zoneID: Self.other, page: RecordPage(), token: ChangeToken("y"), moreComing: true))
    #expect(
      Self.sent(requests.answered(exchange, .success(.zoneChanges([full, none])))) == [.fetchZoneChanges([postponed])])
  }

  @Test(arguments: [
    pages((zone, "a", moreComing: false)), pages((zone, "z", moreComing: true)), pages((other, "a", moreComing: true)),
    pages(), .zoneChanges([.failed(zone, CloudError(.zoneNotFound, ""))]), .failure(CloudError(.internalError, "")),
  ])
  mutating func `read nothing ahead where no page follows`(answer: CloudResponse) throws {
    let exchange = try send(Self.ask((Self.zone, "z")), as: first)
    #expect(requests.answered(exchange, .success(answer)) == [.pass(first, .success(answer))])
  }

  @Test mutating func `pass an answer on that comes after a later request`() throws {
    let late = try send(.listZones, as: first)
    _ = try send(.listZones, as: second)
    #expect(requests.answered(late, .success(.zones([]))) == [.pass(first, .success(.zones([])))])
  }
}
