import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTableServer
import ZoneKitTables

/// A message that faults hit: what reaches the cloud, and what the sender gets as the answer.
struct FaultedMessage {
  private enum Exchange {
    case call(FaultyExchange)
    case documents(FaultyDocumentExchange)
    case rows(FaultyRowExchange)
    case relations(RefusableExchange<Result<RelationResult, RowError>>)
    case function(FaultyFunctionExchange)
    case object(FaultyObjectExchange)
    case account(FaultyAccountExchange)
    case unknown
  }

  /// What reaches the cloud; nil for nothing.
  let message: CloudMessage?
  /// How often it reaches the cloud.
  let applications: Int
  /// The IDs of the faults.
  let faults: [Int]
  /// The delay of the answer.
  let delayMilliseconds: Int64
  /// The age of commits from which feeds show them; nil for the cloud's limit.
  private(set) var visibleDelay: Int64?
  /// The time by which the clock that judges tokens is off, in milliseconds.
  private(set) var tokenSkew: Int64 = 0
  private let exchange: Exchange

  /// A message in CloudKit's terms, or for documents, that those faults hit.
  init(_ asked: CloudMessage, _ hits: FaultyExchange) {
    (faults, delayMilliseconds) = (hits.faults, hits.delayMilliseconds)
    visibleDelay = hits.visibleDelayMilliseconds
    switch asked {
    case .call(_, let database):
      exchange = .call(hits)
      message = hits.request.map { .call($0, in: database) }
      applications = hits.applications
    case .documents(let request, let app):
      let faulty = FaultyDocumentExchange(request, hits, of: app)
      exchange = .documents(faulty)
      message = faulty.request.map { .documents($0, of: app) }
      applications = faulty.applications
    case .rows, .relations, .unreadableRows, .function, .object, .unverified, .account, .administration, .purge,
      .maintenance:
      (exchange, message, applications) = (.unknown, asked, 1)
    }
  }

  /// A message for tables of that schema that those faults hit at that time.
  init(_ asked: CloudMessage, _ hits: RequestFaults, schema: TableSchema, at now: WallTime) {
    (faults, delayMilliseconds, tokenSkew) = (hits.faults, hits.delayMilliseconds, hits.tokenSkew)
    switch asked {
    case .rows(let request, let demands):
      let faulty = FaultyRowExchange(request, hits, schema: schema, at: now)
      exchange = .rows(faulty)
      message = faulty.request.map { .rows($0, demands) }
      applications = hits.applications
    case .relations:
      let faulty = RefusableExchange<Result<RelationResult, RowError>>(hits)
      (exchange, applications) = (.relations(faulty), faulty.applications)
      message = applications > 0 ? asked : nil
    case .function:
      let faulty = FaultyFunctionExchange(hits)
      (exchange, applications) = (.function(faulty), faulty.applications)
      message = applications > 0 ? asked : nil
    case .object:
      let faulty = FaultyObjectExchange(hits)
      (exchange, applications) = (.object(faulty), faulty.applications)
      message = applications > 0 ? asked : nil
    case .unverified:
      let faulty = FaultyAccountExchange(hits)
      (exchange, applications) = (.account(faulty), faulty.applications)
      message = applications > 0 ? asked : nil
    case .call, .documents, .unreadableRows, .account, .administration, .purge, .maintenance:
      (exchange, message, applications) = (.unknown, asked, 1)
    }
  }

  /// The limits with which a request for rows is carried out.
  func limits(_ usual: RowLimits) -> RowLimits {
    if case .rows(let faulty) = exchange { faulty.limits(usual) } else { usual }
  }

  /// The answer to the sender, given the last response (nil if there was none). Nil if no answer is sent.
  func answer(to response: CloudAnswer?, at now: WallTime) -> CloudAnswer? {
    switch exchange {
    case .call(let faulty): faulty.answer(to: response?.call).map { .call($0) }
    case .documents(let faulty): faulty.answer(to: response?.documents, at: now).map { .documents($0) }
    case .rows(let faulty): faulty.answer(to: response?.rows).map { .rows($0) }
    case .relations(let faulty): faulty.answer(to: response?.relation).map { .relation($0) }
    case .function(let faulty): faulty.answer(to: response?.function).map { .function($0) }
    case .object(let faulty): faulty.answer(to: response?.object).map { .object($0) }
    case .account(let faulty): faulty.answer(to: response?.account).map { .account($0) }
    case .unknown: response
    }
  }
}

extension CloudMessage {
  /// The request to the cloud that does the same, for the fault plan, and its database; nil if no such fault hits the
  /// message.
  func faultable(from sender: CloudSender) -> (request: CloudRequest, database: DatabaseID)? {
    switch self {
    case .call(let request, let database): (request, database)
    case .documents(let request, let app): (request.cloudRequest(of: app), app.database(of: sender.caller.user))
    case .administration, .purge, .maintenance, .rows, .relations, .unreadableRows, .function, .object, .unverified,
      .account:
      nil
    }
  }

  /// What faults of tables look at; nil if none hits the message. `users` are the names of the sender's account.
  func subject(users: [Name], deviceID: String?, schema: TableSchema) -> FaultSubject? {
    switch self {
    case .rows(let request, _): FaultSubject(request, users: users, deviceID: deviceID, schema: schema)
    case .relations(let request): FaultSubject(request, users: users, deviceID: deviceID)
    case .function: FaultSubject(.callFunction, users: users, deviceID: deviceID)
    case .object(let request): FaultSubject(request, users: users, deviceID: deviceID)
    case .unverified(let request): FaultSubject(request, users: users, deviceID: deviceID)
    case .call, .documents, .unreadableRows, .account, .administration, .purge, .maintenance: nil
    }
  }
}
