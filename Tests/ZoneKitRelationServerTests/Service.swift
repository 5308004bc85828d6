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

/// The tables of a schema behind their HTTP interface, in memory.
struct Service {
  private var server: RelationServer<MemoryRelationStore>
  var role = "service_role"
  var user: String?
  private(set) var changes: [RelationChange] = []

  /// The tables and rows that a text makes.
  init(_ text: String, answers: String? = nil) throws {
    let answers = try answers.map { try FunctionAnswers(Array($0.utf8).span, file: "f.json") } ?? FunctionAnswers()
    let catalogue = try Catalogue(text: text, answers: answers.ofExpressions)
    let schema = try PreparedSchema(catalogue, answers: answers)
    var store = MemoryRelationStore()
    store.define(schema.layouts)
    var statements = RowStatements(schema, on: store, Self.context("service_role", nil))
    for seed in catalogue.seeds {
      guard let table = schema.tables[seed.table] else { continue }
      _ = try statements.insert(seed.rows, into: table)
    }
    server = RelationServer(schema, on: statements.store)
  }

  private static func context(_ role: String, _ user: String?) -> EvaluationContext {
    let claims = user.map { JSONBValue.object([JSONBValue.Member("sub", .string($0))]) }
    return EvaluationContext(
      now: 1_700_000_000_000_000, role: role, claims: claims, randomUUID: { UUID(high: 0, low: 1) })
  }

  /// The reply to a request below `/rest/v1/`; fields stand in lines.
  mutating func reply(
    _ method: String, _ target: String, _ body: String = "", _ fields: [String] = []
  ) -> HTTPReply? {
    guard let request = Self.request(method, "/rest/v1/" + target, body, fields) else { return nil }
    do throws(RowError) {
      let call = try RelationCall(request)
      let outcome = server.carryOut(call.request, Self.context(role, user))
      changes = outcome.changes
      return call.reply(outcome.result)
    } catch {
      return HTTPReply(error)
    }
  }

  private static func request(
    _ method: String, _ target: String, _ body: String, _ fields: [String]
  ) -> HTTPRequest? {
    let head = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"] + fields
    var reader = HTTPRequestReader()
    for event in reader.receive(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)) {
      if case .request(let request) = event { return request }
    }
    return nil
  }

  /// The status and the body of the reply. Of an error, the code, the message and what else it says.
  mutating func answer(
    _ method: String, _ target: String, _ body: String = "", _ fields: [String] = []
  ) -> String {
    guard let reply = reply(method, target, body, fields) else { return "no request" }
    let text = String(decoding: reply.body, as: UTF8.self)
    guard reply.status >= 300, let json = try? JSON(parsing: reply.body) else { return "\(reply.status) \(text)" }
    let parts = ["code", "message", "details", "hint"].compactMap { json[$0]?.string }
    return "\(reply.status) \(parts.joined(separator: " | "))"
  }

  /// The body of the reply to a request for rows.
  mutating func get(_ target: String) -> String {
    let answer = answer("GET", target)
    return answer.hasPrefix("200 ") ? String(answer.dropFirst(4)) : answer
  }
}
