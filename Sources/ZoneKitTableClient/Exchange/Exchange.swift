import ZoneKitRecords

/// What an exchange with a table server, or a part of one, needs next.
enum ExchangeStep<Request: Equatable & Sendable, Answer: Equatable & Sendable>: Equatable, Sendable {
  /// Send that request for rows.
  case ask(Request)
  /// It is over, with that answer.
  case answer(Answer)
}

extension ExchangeStep where Answer == Result<ZoneChangesResult, CloudError> {
  /// The page is complete.
  static func page(_ result: ZoneChangesResult) -> Self { .answer(.success(result)) }

  /// The whole request failed.
  static func failed(_ error: CloudError) -> Self { .answer(.failure(error)) }
}

/// A part of an exchange: requests for rows, one after the other, up to an answer.
protocol ExchangePart<Request, Outcome, Answer>: Sendable {
  associatedtype Request: Equatable, Sendable
  associatedtype Outcome: Sendable
  associatedtype Answer: Equatable, Sendable

  /// What to do next.
  var step: ExchangeStep<Request, Answer> { get }
  /// The outcome of the request that `step` asked for arrived.
  mutating func received(_ outcome: Outcome)
}

/// What a request of a coordinator means for a table server: its zones, and the parts of an exchange that ask it for rows.
protocol ExchangeContext<Request, Outcome>: Sendable {
  associatedtype Request: Equatable, Sendable
  associatedtype Outcome: Sendable
  /// Reads one page of a zone. Its failure is that of the whole request.
  associatedtype Reading: ExchangePart<Request, Outcome, Result<ZoneChangesResult, CloudError>>
  associatedtype Writing: ExchangePart<Request, Outcome, CloudResponse>
  associatedtype Lookup: ExchangePart<Request, Outcome, CloudResponse>

  /// The word for such a server in an error.
  static var service: String { get }
  /// The zones of the account.
  var zones: [ZoneID] { get }
  /// A zone of the account, or the error for one that is not there.
  func lookUp(_ zoneID: ZoneID) -> ZoneResult
  /// The error for the deletion of a zone. A device deletes none.
  func refusedDeletion(of zoneID: ZoneID) -> CloudError
  func reading(_ query: ZoneChangesQuery) -> Reading
  func writing(_ batch: ModifyRecords) throws(CloudError) -> Writing
  func lookup(_ names: [Name], in zoneID: ZoneID) throws(CloudError) -> Lookup
}

/// One request of a device's coordinator to its cloud, carried out as requests for rows, one after the other.
///
/// `step` is what to do next. The outcome of each request for rows is passed to `received`, until the step is the
/// answer.
struct Exchange<Context: ExchangeContext>: Sendable {
  typealias Step = ExchangeStep<Context.Request, CloudResponse>

  /// The part of the exchange that asks for rows.
  private enum Part {
    case reading(Context.Reading, after: [ZoneChangesResult], before: [ZoneChangesQuery])
    case writing(Context.Writing)
    case lookingUp(Context.Lookup)
  }

  /// What to do next.
  private(set) var step: Step
  let context: Context
  private var part: Part?

  /// An exchange for that request.
  init(_ request: CloudRequest, _ context: Context) {
    self.context = context
    let unknown = CloudError(.invalidArguments, "a \(Context.service) has no \(request.kind.rawValue)")
    step = .answer(.failure(unknown))
    do throws(CloudError) {
      try begin(request)
    } catch {
      end(.failure(error))
    }
  }

  private mutating func begin(_ request: CloudRequest) throws(CloudError) {
    switch request {
    case .fetchZoneChanges(let queries): read(queries[...], after: [])
    case .modifyRecords(let batch): proceed(.writing(try context.writing(batch)))
    case .lookupRecords(let zoneID, let names): proceed(.lookingUp(try context.lookup(names, in: zoneID)))
    case .listZones: end(.zones(context.zones.map(context.lookUp)))
    case .lookupZones(let zones): end(.zones(zones.map(context.lookUp)))
    case .modifyZones(let operations): end(.zones(operations.map(answer)))
    case .queryRecords, .createUploads, .rereferenceAssets, .fetchDatabaseChanges, .listSubscriptions,
      .lookupSubscriptions, .modifySubscriptions, .fetchUsers,
      .createPushToken, .registerPushToken, .resolveShares, .acceptShares:
      break
    }
  }

  /// A zone is there since the account is, so its creation finds it.
  private func answer(_ operation: ZoneOperation) -> ZoneResult {
    switch operation {
    case .create(let zoneID): context.lookUp(zoneID)
    case .delete(let zoneID): .failed(zoneID, context.refusedDeletion(of: zoneID))
    }
  }

  /// The outcome of the request that `step` asked for arrived.
  mutating func received(_ outcome: Context.Outcome) {
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

  private mutating func end(_ answer: CloudResponse) {
    part = nil
    step = .answer(answer)
  }

  private mutating func proceed(_ next: Part) {
    switch next {
    case .reading: preconditionFailure("zones are read one after the other")
    case .writing(let writing): step = writing.step
    case .lookingUp(let lookup): step = lookup.step
    }
    if case .answer = step { part = nil } else { part = next }
  }

  /// Reads the zones of those queries after the results so far.
  private mutating func read(_ queries: ArraySlice<ZoneChangesQuery>, after results: [ZoneChangesResult]) {
    guard let query = queries.first else { return end(.zoneChanges(results)) }
    goOn(context.reading(query), after: results, before: Array(queries.dropFirst()))
  }

  private mutating func goOn(
    _ reading: Context.Reading, after results: [ZoneChangesResult], before rest: [ZoneChangesQuery]
  ) {
    switch reading.step {
    case .ask(let request):
      part = .reading(reading, after: results, before: rest)
      step = .ask(request)
    case .answer(.success(let result)): read(rest[...], after: results + [result])
    case .answer(.failure(let error)): end(.failure(error))
    }
  }
}
