import ZoneKitRecords

/// The change tokens that the cloud returned to each device, the tokens that devices used, and the tokens to be
/// refused.
package struct TokenHistory: Sendable {
  /// The feed of a token.
  package enum Feed: Hashable, Sendable {
    case database
    case zone(Name)
  }

  /// The use of another account's token by a device.
  package struct Misuse: Hashable, Sendable {
    /// The device.
    package var device: Int
    /// The account of the token.
    package var owner: Name
  }

  private struct Handed: Hashable {
    var feed: Feed
    var token: ChangeToken
  }

  /// The misuses, in order.
  package private(set) var misuses: [Misuse] = []
  private var owners: [ChangeToken: Name] = [:]
  private var handed: [Int: Set<Handed>] = [:]
  private var expired: [Int: Set<Handed>] = [:]

  /// A history without tokens.
  package init() {}

  /// Makes the cloud refuse all tokens of some feeds that were returned to a device so far.
  package mutating func expire(_ device: Int, where isMeant: (Feed) -> Bool) {
    expired[device, default: []].formUnion((handed[device] ?? []).filter { isMeant($0.feed) })
  }

  mutating func handed(_ response: CloudResponse, to visit: World.CloudVisit) {
    switch response {
    case .databaseChanges(let changes): hand(Handed(feed: .database, token: changes.token), to: visit)
    case .zoneChanges(let results):
      for case .changes(let changes) in results {
        hand(Handed(feed: .zone(changes.zoneID.zoneName), token: changes.token), to: visit)
      }
    case .zones, .records, .atomicFailure, .queries, .uploads, .assets, .subscriptions, .pushToken, .failure, .users,
      .shares:
      break
    }
  }

  private mutating func hand(_ token: Handed, to visit: World.CloudVisit) {
    owners[token.token] = visit.caller.user
    handed[visit.device, default: []].insert(token)
    // A token that is returned again is a new one, even if its text is equal to an old one.
    expired[visit.device]?.remove(token)
  }

  mutating func asked(_ request: CloudRequest, by device: Int, as account: Name) {
    for token in Self.tokens(of: request) {
      guard let owner = owners[token.token], owner != account else { continue }
      misuses.append(Misuse(device: device, owner: owner))
    }
  }

  /// The feeds that a request of a device reads with a refused token.
  func refused(_ request: CloudRequest, by device: Int) -> [Feed] {
    guard let expired = expired[device] else { return [] }
    return Self.tokens(of: request).filter(expired.contains).map(\.feed)
  }

  private static func tokens(of request: CloudRequest) -> [Handed] {
    let traits = RequestTraits(request)
    let zones = traits.items.compactMap { item -> Handed? in
      guard let token = item.token, let zoneID = item.zoneID else { return nil }
      return Handed(feed: .zone(zoneID.zoneName), token: token)
    }
    return zones + (traits.databaseToken.map { [Handed(feed: .database, token: $0)] } ?? [])
  }
}

extension World {
  /// Adds faults to the plan that refuse the expired tokens of a request. Returns their IDs.
  mutating func refuseExpiredTokens(of visit: CloudVisit) -> [Int] {
    guard let feeds = tokenHistory?.refused(visit.request, by: visit.device), !feeds.isEmpty else { return [] }
    let error = CloudError(.changeTokenExpired, "the token has expired; fetch from the beginning")
    return feeds.map { feed in
      switch feed {
      case .database: cloud.process.faults.add(Fault(.refuse(error), name: "expired token", times: 1))
      case .zone(let name):
        cloud.process.faults.add(
          Fault(.refuseItems(error), on: FaultScope(zoneName: name), name: "expired token", times: 1))
      }
    }
  }
}
