import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// One request of a device's coordinator to a database with a user's own schema, carried out as requests for rows, one after the
/// other. Each table is a zone.
package struct RelationExchange: Sendable {
  /// What an exchange needs next.
  package enum Step: Equatable, Sendable {
    /// Send that request.
    case ask(RelationRequest)
    /// The exchange is over, with that answer.
    case answer(CloudResponse)
  }

  /// The part of the exchange that asks for rows.
  private enum Part: Sendable {
    case reading(TableReading, after: [ZoneChangesResult], before: [ZoneChangesQuery])
    case writing(TableWriting)
    case lookingUp(TableLookup)
  }

  /// What to do next.
  package private(set) var step: Step
  private let context: RelationContext
  private var part: Part?

  /// An exchange for that request of a device of the account. `commits` tells when versions of rows were committed, as far as
  /// events told it.
  package init(
    _ request: CloudRequest, _ schema: RelationSchema, account: UUID, commits: [ChangeTag: WallTime] = [:]
  ) {
    context = RelationContext(schema, account: account, commits: commits)
    step = .answer(.failure(CloudError(.invalidArguments, "a database has no \(request.kind.rawValue)")))
    switch request {
    case .fetchZoneChanges(let queries): read(queries[...], after: [])
    case .modifyRecords(let batch):
      guard let table = context.table(of: batch.zoneID) else {
        fail(RelationContext.missing(batch.zoneID))
        return
      }
      proceed(.writing(TableWriting(batch, to: table, context)))
    case .lookupRecords(let zoneID, let names):
      guard let table = context.table(of: zoneID) else {
        fail(RelationContext.missing(zoneID))
        return
      }
      proceed(.lookingUp(TableLookup(names, in: table, context)))
    case .listZones: step = .answer(.zones(schema.tables.map { context.zone($0.zoneID) }))
    case .lookupZones(let zones): step = .answer(.zones(zones.map(context.zone)))
    case .modifyZones(let operations): step = .answer(.zones(operations.map(answer)))
    case .fetchDatabaseChanges, .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .createPushToken,
      .registerPushToken:
      break
    }
  }

  private mutating func fail(_ error: CloudError) { step = .answer(.failure(error)) }

  private func answer(_ operation: ZoneOperation) -> ZoneResult {
    switch operation {
    case .create(let zoneID): context.zone(zoneID)
    case .delete(let zoneID):
      .failed(zoneID, CloudError(.serverRejectedRequest, "the table \(zoneID.zoneName) is not dropped by a device"))
    }
  }

  /// The outcome of the request that `step` asked for arrived.
  package mutating func received(_ outcome: RelationOutcome) {
    switch part {
    case .reading(var reading, let done, let rest):
      reading.received(outcome)
      goOn(reading, after: done, before: rest)
    case .writing(var writing):
      writing.received(outcome)
      proceed(.writing(writing))
    case .lookingUp(var lookup):
      lookup.received(outcome)
      proceed(.lookingUp(lookup))
    case nil: preconditionFailure("the exchange is over")
    }
  }

  private mutating func proceed(_ next: Part) {
    switch next {
    case .reading: preconditionFailure("tables are read one after the other")
    case .writing(let writing): step = writing.step
    case .lookingUp(let lookup): step = lookup.step
    }
    if case .answer = step { part = nil } else { part = next }
  }

  /// Reads the tables of those queries after the results so far.
  private mutating func read(_ queries: ArraySlice<ZoneChangesQuery>, after results: [ZoneChangesResult]) {
    guard let query = queries.first else {
      part = nil
      step = .answer(.zoneChanges(results))
      return
    }
    goOn(TableReading(query, context), after: results, before: Array(queries.dropFirst()))
  }

  private mutating func goOn(
    _ reading: TableReading, after results: [ZoneChangesResult], before rest: [ZoneChangesQuery]
  ) {
    switch reading.step {
    case .ask(let request):
      part = .reading(reading, after: results, before: rest)
      step = .ask(request)
    case .page(let result): read(rest[...], after: results + [result])
    case .failed(let error):
      part = nil
      step = .answer(.failure(error))
    }
  }
}
