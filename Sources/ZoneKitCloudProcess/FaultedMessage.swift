import ZoneKitCloud
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

/// A message that faults hit: what reaches the cloud, and what the sender gets as the answer.
struct FaultedMessage: Equatable, Sendable {
  /// What reaches the cloud; nil for nothing.
  let message: CloudMessage?
  /// How often it reaches the cloud.
  let applications: Int
  private let exchange: FaultyExchange
  private let documents: FaultyDocumentExchange?

  /// A message that those faults hit.
  init(_ asked: CloudMessage, _ exchange: FaultyExchange) {
    self.exchange = exchange
    switch asked {
    case .call(_, let database):
      documents = nil
      message = exchange.request.map { .call($0, in: database) }
      applications = exchange.applications
    case .documents(let request, let app):
      let faulty = FaultyDocumentExchange(request, exchange, of: app)
      documents = faulty
      message = faulty.request.map { .documents($0, of: app) }
      applications = faulty.applications
    case .administration, .purge, .maintenance, .rows, .unreadableRows, .function, .object, .account:
      documents = nil
      message = asked
      applications = 1
    }
  }

  /// The IDs of the faults.
  var faults: [Int] { exchange.faults }

  /// The delay of the answer.
  var delayMilliseconds: Int64 { exchange.delayMilliseconds }

  /// The age of commits from which feeds show them; nil for the cloud's limit.
  var visibleDelay: Int64? { exchange.visibleDelayMilliseconds }

  /// The answer to the sender, given the last response (nil if there was none). Nil if no answer is sent.
  func answer(to response: CloudAnswer?, at now: WallTime) -> CloudAnswer? {
    if let documents {
      let given: DocumentResponse? = if case .documents(let given)? = response { given } else { nil }
      return documents.answer(to: given, at: now).map { .documents($0) }
    }
    let given: CloudResponse? = if case .call(let given)? = response { given } else { nil }
    return exchange.answer(to: given).map { .call($0) }
  }
}

extension CloudMessage {
  /// The request to the cloud that does the same, for the fault plan, and its database; nil if no fault hits the message.
  func faultable(from sender: CloudSender) -> (request: CloudRequest, database: DatabaseID)? {
    switch self {
    case .call(let request, let database): (request, database)
    case .documents(let request, let app): (request.cloudRequest(of: app), app.database(of: sender.caller.user))
    case .administration, .purge, .maintenance, .rows, .unreadableRows, .function, .object, .account: nil
    }
  }
}
