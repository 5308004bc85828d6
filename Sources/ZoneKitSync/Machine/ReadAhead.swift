import ZoneKitRecords

/// The requests of a coordinator on their way to its cloud. While the coordinator stores a page of a feed, the request for the next
/// page is already under way, so that the device and the cloud work at the same time.
///
/// The driver passes each request and each answer here, and carries out what is returned. It calls `settled` as soon as the effects
/// that a passed answer has caused are carried out. A page that the coordinator does not ask for until then is ignored when it comes:
/// reading changes nothing on the cloud.
package struct ReadAhead: Sendable {
  /// A request on its way.
  package struct Exchange: Hashable, Sendable {
    /// The request.
    package let request: CloudRequest
    /// Its number, from 1 in the order of sending.
    package let number: UInt64
    /// The coordinator's ID of the request; nil if the coordinator had not made it when it was sent.
    fileprivate let id: RequestID?
  }

  /// An instruction to the driver.
  package enum Effect: Hashable, Sendable {
    /// Send that request, and pass its answer to `answered`.
    case send(Exchange)
    /// Pass that answer to the coordinator.
    case pass(RequestID, Result<CloudResponse, CloudError>)
  }

  /// The request that the coordinator is likely to make next.
  private var guess: Exchange?
  /// The last request that was sent before the coordinator made it, and its ID since then.
  private var early: (number: UInt64, id: RequestID)?
  private var lastNumber: UInt64 = 0

  /// Requests of a coordinator that has made none.
  package init() {}

  /// The coordinator makes a request.
  package mutating func asked(_ request: CloudRequest, as id: RequestID) -> [Effect] {
    defer { guess = nil }
    guard let guess, guess.request == request else { return [.send(begin(request, id))] }
    early = (guess.number, id)
    return []
  }

  /// The answer to a request arrived.
  package mutating func answered(_ exchange: Exchange, _ answer: Result<CloudResponse, CloudError>) -> [Effect] {
    guard let id = exchange.id ?? early.flatMap({ $0.number == exchange.number ? $0.id : nil }) else { return [] }
    let passed = Effect.pass(id, answer)
    guard case .success(let response) = answer, let next = exchange.request.next(after: response) else {
      return [passed]
    }
    let ahead = begin(next, nil)
    guess = ahead
    return [.send(ahead), passed]
  }

  /// The coordinator has reacted to the last answer.
  package mutating func settled() { guess = nil }

  private mutating func begin(_ request: CloudRequest, _ id: RequestID?) -> Exchange {
    lastNumber += 1
    return Exchange(request: request, number: lastNumber, id: id)
  }
}

extension CloudRequest {
  /// The request that a coordinator makes next if it goes on reading the same feeds; nil if no page follows the answer.
  fileprivate func next(after response: CloudResponse) -> CloudRequest? {
    guard case .fetchZoneChanges(let queries) = self, case .zoneChanges(let results) = response,
      queries.count == results.count
    else { return nil }
    let hasRecords = results.contains { $0.hasRecords }
    var next: [ZoneChangesQuery] = []
    for (query, result) in zip(queries, results) {
      guard case .changes(let changes) = result, changes.zoneID.zoneName == query.zoneID.zoneName else { return nil }
      guard changes.moreComing else { continue }
      // A zone for which the answer had no room is asked for again as it was.
      if hasRecords, changes.isPostponed(after: query.token) {
        next.append(query)
        continue
      }
      var following = query
      following.token = changes.token.unlessEmpty
      following.acknowledged = []
      // Without a new token the answer would be the same.
      guard !following.token.leadsNowhere(after: query.token) else { return nil }
      next.append(following)
    }
    return next.isEmpty ? nil : .fetchZoneChanges(next)
  }
}
