import ZoneKitRecords
import ZoneKitTables

/// One request of a device's coordinator to its cloud, carried out as requests for rows, one after the other.
///
/// `step` is what to do next. The outcome of each request for rows is passed to `received`, until the step is the
/// answer.
package struct RowExchange: Sendable {
  /// What an exchange needs next.
  package enum Step: Hashable, Sendable {
    /// Send that request.
    case ask(RowRequest)
    /// The exchange is over, with that answer.
    case answer(CloudResponse)
  }

  /// The part of the exchange that asks for rows.
  private enum Part: Sendable {
    case reading(FeedReading, after: [ZoneChangesResult], before: [ZoneChangesQuery])
    case sending(RowSending)
    case lookingUp(RowLookup)
  }

  /// What to do next.
  package private(set) var step: Step
  private let context: RowContext
  private var part: Part?

  /// An exchange for that request of a device of the account.
  package init(_ request: CloudRequest, app: TableApp, account: UUID, deviceID: String) {
    context = RowContext(app: app, account: account, deviceID: deviceID)
    step = .answer(.failure(CloudError(.invalidArguments, "a table server has no \(request.kind.rawValue)")))
    switch request {
    case .fetchZoneChanges(let queries): read(queries[...], after: [])
    case .modifyRecords(let batch): proceed(.sending(RowSending(batch, context)))
    case .lookupRecords(_, let names): proceed(.lookingUp(RowLookup(names, context)))
    case .listZones: step = .answer(.zones(context.zones.map { .zone(context.zone($0)) }))
    case .lookupZones(let zones): step = .answer(.zones(zones.map(context.lookUp)))
    case .modifyZones(let operations): step = .answer(.zones(operations.map(context.answer)))
    case .fetchDatabaseChanges, .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .createPushToken,
      .registerPushToken:
      break
    }
  }

  /// The outcome of the request that `step` asked for arrived.
  package mutating func received(_ outcome: RowOutcome) {
    switch part {
    case .reading(var reading, let done, let rest):
      reading.received(outcome)
      goOn(reading, after: done, before: rest)
    case .sending(var sending):
      sending.received(outcome)
      proceed(.sending(sending))
    case .lookingUp(var lookup):
      lookup.received(outcome)
      proceed(.lookingUp(lookup))
    case nil: preconditionFailure("the exchange is over")
    }
  }

  /// The newest stamps that the answer brings of each table; nil unless it brings rows of the app's zone.
  package var cursors: [Name: WallTime]? {
    guard case .answer(.zoneChanges(let results)) = step else { return nil }
    return results.compactMap { result -> [Name: WallTime]? in
      guard case .changes(let changes) = result, changes.zoneID.zoneName == context.app.zone else { return nil }
      return TableToken(changes.token)?.cursors
    }.last
  }

  private mutating func proceed(_ next: Part) {
    switch next {
    case .reading: preconditionFailure("feeds are read one after the other")
    case .sending(let sending): step = sending.step
    case .lookingUp(let lookup): step = lookup.step
    }
    if case .answer = step { part = nil } else { part = next }
  }

  /// Reads the feeds of those queries after the results so far.
  private mutating func read(_ queries: ArraySlice<ZoneChangesQuery>, after results: [ZoneChangesResult]) {
    guard let query = queries.first else {
      part = nil
      step = .answer(.zoneChanges(results))
      return
    }
    goOn(FeedReading(query, context), after: results, before: Array(queries.dropFirst()))
  }

  private mutating func goOn(
    _ reading: FeedReading, after results: [ZoneChangesResult], before rest: [ZoneChangesQuery]
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
