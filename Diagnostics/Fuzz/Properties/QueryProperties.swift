import ZoneKitRecords

@testable import ZoneKitWire

/// The body of `records/query`: a query that was read is the same after it was stored, and after it was sent by a device.
enum QueryProperties {
  private static let database = DatabaseID(container: "c", environment: .development, user: "u", scope: .private)

  /// Checks the properties for a body.
  static func check(_ bytes: [UInt8]) throws {
    guard let queries = try queries(in: bytes, of: "records/query"), let query = queries.first else { return }
    let stored = CloudQuery(try JSON(parsing: query.query.text))
    try Violation.unless(stored == query.query, "stored it is \(String(describing: stored)), not \(query.query)")
    let request = ClientRequest(
      .queryRecords(queries), to: database, apiToken: "a", caller: Caller(user: "u", deviceID: nil))
    let again = try Self.queries(in: request.body, of: "internal/records/query/batch")
    try Violation.unless(again == queries, "sent it is \(String(describing: again)), not \(queries)")
  }

  /// The queries in a body; nil if it is refused.
  private static func queries(in body: [UInt8], of endpoint: String) throws -> [QueryRecords]? {
    var reader = HTTPRequestReader()
    let head =
      "POST /database/1/c/development/private/\(endpoint) HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n"
    guard case .request(let http)? = reader.receive(Array(head.utf8) + body).last else { return nil }
    do throws(RequestFailure) {
      guard case .queryRecords(let queries) = try CloudKitRequest(http).request else {
        throw .badRequest("")
      }
      return queries
    } catch {
      guard case .badRequest(let reason) = error, !reason.isEmpty else {
        throw Violation("it is answered with \(error)")
      }
      return nil
    }
  }
}
