import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitDocuments
import ZoneKitPush
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitTableServer
import ZoneKitTables
import ZoneKitWire

/// The services of a server for tables, accounts and documents, over stores and a clock of any kind: without a loop, without
/// sockets and without files. A request is served as over a connection, and its answer leaves with the turn.
package final class InProcessServer<Store: ZoneStore, Accounts: AccountStore> {
  /// What a server is made of.
  package struct Parts {
    /// The store of zones.
    package var zones: Store
    /// The store of accounts.
    package var accounts: Accounts
    /// The tables.
    package var tables: OwnTables
    /// The documents; nil for none.
    package var documents: DocumentApp?

    /// Those parts.
    package init(zones: Store, accounts: Accounts, tables: OwnTables, documents: DocumentApp?) {
      (self.zones, self.accounts, self.tables, self.documents) = (zones, accounts, tables, documents)
    }
  }

  /// The URL of the server in its answers.
  package static var url: String { "http://localhost" }

  /// The key of apps.
  package let anonymousKey: String
  /// The key of the server's owner.
  package let serviceKey: String
  private let zones: ZoneService<Store, Accounts>
  private let routes: HTTPRoutes

  /// A server of those parts, whose empty store of rows gets the tables. Its keys, tokens and identifiers follow from the seed.
  /// Throws why the first rows of the tables cannot be made.
  package init(
    _ parts: Parts, rows: some RelationStore, seed: UInt64, now: @escaping () -> Moment
  ) throws(ServiceError) {
    var generator = SplitMix64(seed: seed)
    let start = now().wall
    var tables = CloudTables(of: .own, store: parts.accounts, limits: AccountLimits(signIns: .max))
    tables.relations = try parts.tables.make(in: rows, at: start, using: &generator)
    let keys = ServiceKeys(
      secret: RandomIdentifier.bytes(ServiceKeys.secretLength, using: &generator),
      issuedAt: start.milliseconds / 1_000)
    (anonymousKey, serviceKey) = (keys.anonymousKey, keys.serviceKey)
    let journal = ServerJournal(version: "library") { now().wall }
    zones = ZoneService(
      store: parts.zones, authentication: Authentication(mode: .open, .libcrypto),
      faults: FaultControl(isOpen: true, limits: Limits()), policy: PushGateway.Policy(), journal: journal,
      tables: tables, generator: .seeded(generator), now: now)
    let access = TableAccess(keys: keys, isOpen: true)
    let auth = AuthRoute(
      accounts: AccountService(access: access, zones: zones, on: nil), root: Self.url, tokenLife: 3_600,
      version: journal.version)
    var served = [
      SupabasePart.auth.root: auth.route,
      SupabasePart.rest.root: RelationRoute(zones: zones, access: access).route,
    ]
    if let documents = parts.documents {
      let access = DocumentAccess(mode: .open)
      served[DocumentCall.root] =
        DocumentRoute(app: documents, zones: zones, access: access, journal: journal).route
    }
    routes = HTTPRoutes(served)
  }

  /// A response as it is sent.
  package typealias Response = (head: HTTPResponseHead, body: [UInt8])

  /// A request arrived. `answer` is called once with the response, in this turn, at its end or later; with nil if a fault
  /// suppresses it, where a connection is closed.
  package func receive(_ request: HTTPRequest, answer: @escaping (Response?) -> Void) {
    let route = routes.route(of: request)
    route.serve(
      HTTPExchange(request, crossOrigin: route.crossOrigin) { reply in
        answer(reply.map { Self.response($0, to: request, fields: route.crossOrigin?.fields(for: request) ?? []) })
      })
  }

  private static func response(_ reply: HTTPReply, to request: HTTPRequest, fields: [HTTPField]) -> Response {
    let head = HTTPResponseHead(answering: request, status: reply.status).completed(by: reply, fields: fields)
    return (head, head.hasBody ? reply.body : [])
  }

  /// Commits the changes of the turn's requests, and answers them.
  package func endTurn() { zones.endTurn() }

  /// When `answerDelayed` has to be called next, in milliseconds of the monotonic clock; nil if no answer is delayed.
  package var nextDelayedAnswer: Int64? { zones.nextDelayedAnswer }

  /// Gives the delayed answers that are due.
  package func answerDelayed() { zones.answerDelayed() }

  /// The faults of requests.
  package var faults: FaultPlan {
    get { zones.process.faults }
    set { zones.process.faults = newValue }
  }
}
