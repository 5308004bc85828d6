import ZoneKitCloud
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

/// Requests for the tables of a schema of a user's own.
extension CloudProcess {
  /// A request arrived. It is carried out at once, and its answer comes with the commit.
  mutating func begin(
    _ request: RelationRequest, _ arrival: Arrival, using generator: inout some RandomNumberGenerator
  ) -> Beginning {
    guard let context = tables?.context(of: arrival.sender.ofTables, at: arrival.at.wall, using: &generator) else {
      return .answered(.relation(.failure(RowError(.notServed, "the cloud serves no tables"))))
    }
    if let error = tables?.restoreRelations(at: arrival.at.wall, using: &generator) {
      return .answered(.relation(.failure(RowError(.storeFailed, "the accounts cannot be read: \(error)"))))
    }
    let cost = tables?.relations?.receive(request, ticket: arrival.ticket, room: arrival.room, context)
    return .submitted(.relation(isWrite: request.isWrite), cost: cost ?? TurnCost())
  }
}

extension CloudProcess {
  /// The next change of rows that channels are told of, with the channels that get it; nil if there is none.
  mutating func nextRelationEvent(
    at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> EventFaults.Event? {
    guard let (change, time) = tables?.relations?.nextUntold(), let tables, let relations = tables.relations,
      let event = relations.event(of: change, at: time)
    else { return nil }
    var contexts: [AccountClaims: EvaluationContext] = [:]
    let deliveries = tables.channels.server.deliveries { entry, claims in
      guard entry.asks(for: change.kind, of: Name(event.table)) else { return false }
      let context = contexts[claims] ?? tables.context(of: RowCaller(claims), at: now, using: &generator)
      contexts[claims] = context
      return context.map { relations.isAsked(change, by: entry, $0) } ?? false
    }
    return EventFaults.Event(.relation(event), deliveries)
  }
}

extension RowCaller {
  /// The bearer of a channel's token.
  fileprivate init(_ claims: AccountClaims) {
    switch claims.role {
    case .anonymous: self.init(.anonymous)
    case .service: self.init(.service)
    case .authenticated: self.init(claims.account.map { .account($0) } ?? .anonymous)
    }
  }
}

extension CloudTables {
  /// Who sends a request, and when; nil if there are no tables of a user's own.
  func context(
    of caller: RowCaller, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> EvaluationContext? {
    guard relations != nil else { return nil }
    let random = RandomUUIDs(using: &generator)
    var account: Account?
    if case .account(let id) = caller.role { account = try? store.account(id)?.account }
    return EvaluationContext(of: caller.role, account, at: now) { random.next() }
  }

  /// Makes the accounts rows, if they are not yet. Returns why they cannot be read.
  mutating func restoreRelations(
    at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> StoreError? {
    guard relations?.needsAccounts == true,
      let context = context(of: RowCaller(.service), at: now, using: &generator)
    else { return nil }
    do throws(StoreError) {
      return relations?.set(try store.accounts(after: 0, limit: .max).map(\.account), context)
    } catch {
      return error
    }
  }

  /// An account was made or changed. Its row follows, with what triggers do then. Returns why it cannot; nil if it has.
  mutating func changeRelations(
    of account: UUID, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> RowError? {
    guard let context = context(of: RowCaller(.service), at: now, using: &generator),
      let known = try? store.account(account)?.account
    else { return nil }
    return relations?.changed(known, context)
  }

  /// An account is to be removed. Returns why rows keep it; nil if its own row is gone with all that belongs to it.
  mutating func removeRelations(
    of account: UUID, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> RowError? {
    guard let context = context(of: RowCaller(.service), at: now, using: &generator) else { return nil }
    return relations?.remove(account, context)
  }
}

/// A source of random identifiers that closures share.
final class RandomUUIDs {
  private var generator: SplitMix64

  init(using generator: inout some RandomNumberGenerator) { self.generator = SplitMix64(seed: generator.next()) }

  func next() -> UUID { UUID(high: generator.next(), low: generator.next(), version: 4) }
}
