import ZoneKitCatalogue
import ZoneKitExpressions
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitSchema
import ZoneKitSchemaFixtures
import ZoneKitTables
import ZoneKitWire

@testable import ZoneKitTableClient

/// The tables of a schema behind their HTTP interface, in memory, and a device's requests to them as messages.
struct OwnService {
  private var server: RelationServer<MemoryRelationStore>
  /// The account whose requests these are.
  var account = OwnService.anna
  /// The requests that were answered.
  private(set) var requests: [ClientRequest] = []
  /// The changes of the last request.
  private(set) var changes: [RelationChange] = []
  let schema: RelationSchema

  static let anna = UUID(high: 0, low: 1)
  static let ben = UUID(high: 0, low: 2)

  init(_ text: String) throws {
    var builder = CatalogueBuilder(answers: [:])
    let reading = try Samples.reading(text)
    let problems = reading.problems + builder.add(reading.statements, of: SchemaText(name: "schema.sql", text))
    if let first = problems.first { throw first }
    schema = builder.catalogue.clientTables
    let prepared = try PreparedSchema(builder.catalogue)
    var store = MemoryRelationStore()
    store.define(prepared.layouts)
    server = RelationServer(prepared, on: store)
  }

  /// The outcome of a device's request.
  mutating func outcome(_ request: RelationRequest) -> RelationOutcome {
    let message = ClientRequest(request, from: SupabaseSender(key: "k", token: nil, deviceID: "d"))
    requests.append(message)
    let claims = JSONBValue.object([JSONBValue.Member("sub", .string(account.text))])
    let context = EvaluationContext(
      now: 1_700_000_000_000_000, role: "authenticated", claims: claims, randomUUID: { UUID(high: 0, low: 9) })
    var reader = HTTPRequestReader()
    guard case .request(let http)? = reader.receive(message.bytes(host: "h")).first else {
      return .unanswered(.answerLost("\(message.target) cannot be read"))
    }
    let reply: HTTPReply
    do throws(RowError) {
      let call = try RelationCall(http)
      let outcome = server.carryOut(call.request, context)
      changes = outcome.changes
      reply = call.reply(outcome.result)
    } catch {
      reply = HTTPReply(error)
    }
    return Self.received(reply).map { RelationOutcome($0) } ?? .unanswered(.answerLost("the reply cannot be read"))
  }

  private static func received(_ reply: HTTPReply) -> HTTPResponse? {
    var bytes: [UInt8] = []
    bytes.appendResponse(
      HTTPResponseHead(status: reply.status, contentType: reply.contentType, fields: reply.fields), body: reply.body)
    var parser = HTTPResponseParser()
    for event in parser.receive(bytes) {
      if case .response(let response) = event { return response }
    }
    return nil
  }

  /// The answer to a request of the device's coordinator.
  mutating func answer(_ request: CloudRequest) -> CloudResponse {
    requests = []
    var exchange = RelationExchange(request, schema, account: account)
    while case .ask(let question) = exchange.step { exchange.received(outcome(question)) }
    guard case .answer(let response) = exchange.step else { return .records([]) }
    return response
  }

  /// The results of a batch for a table.
  mutating func write(_ table: Name, _ operations: [RecordOperation]) -> [RecordResult] {
    let batch = ModifyRecords(zoneID: ZoneID(zoneName: table), operations: operations, isAtomic: false)
    guard case .records(let results) = answer(.modifyRecords(batch)) else { return [] }
    return results
  }

  /// The page of a table after that token, and the token behind it.
  mutating func page(_ table: Name, after token: ChangeToken? = nil, limit: Int = 200) -> ZoneChanges? {
    let query = ZoneChangesQuery(zoneID: ZoneID(zoneName: table), token: token, limit: limit)
    guard case .zoneChanges(let results) = answer(.fetchZoneChanges([query])), case .changes(let page)? = results.first
    else { return nil }
    return page
  }
}

extension RecordOperation {
  /// An operation on a row with those values of columns.
  static func row(_ kind: Kind, _ name: Name, _ values: [Name: FieldValue?] = [:]) -> RecordOperation {
    RecordOperation(
      kind, recordName: name, recordType: "t",
      fields: values.map { name, value in
        NamedFieldChange(name, value.map { .set($0, isTyped: true, isEncrypted: false) } ?? .clear)
      })
  }
}
