import ZoneKitDocuments
import ZoneKitRecords

/// A request for documents as it came over HTTP: who asks, and for what.
package struct DocumentCall: Hashable, Sendable {
  /// The account, and the device that the request names.
  package let caller: Caller
  /// The request.
  package let request: DocumentRequest

  /// The first path segment.
  package static let root = "sync"
  /// The path of the description of the protocol.
  package static let descriptionPath = "/sync/openapi.json"

  /// The paths, with the method of each.
  enum Path: String, CaseIterable {
    case push, pull, full, status

    /// The path as requests name it.
    var text: String { "/\(DocumentCall.root)/\(rawValue)" }

    /// The method.
    var method: String {
      switch self {
      case .push, .full: "POST"
      case .pull, .status: "GET"
      }
    }
  }

  /// Reads a request for documents of that app.
  package init(
    _ http: HTTPRequest, app: DocumentApp, access: DocumentAccess
  ) throws(DocumentRefusal) {
    guard let path = Path.allCases.first(where: { $0.text == http.path }) else {
      throw DocumentRefusal(DocumentError(.notFound, "nothing is served at \(http.path)"))
    }
    guard http.method == path.method else { throw .methods([path.method]) }
    do throws(DocumentError) {
      let user = try access.user(of: http)
      let query = try DocumentQuery(http, schema: app.schema)
      let reader = DocumentCallReader(schema: app.schema, query: query)
      switch path {
      case .push: request = try reader.push(try Self.body(of: http))
      case .pull: request = try reader.pull()
      case .full: request = try reader.full(http.body.isEmpty ? .object([]) : try Self.body(of: http))
      case .status: request = try reader.status()
      }
      var deviceID = query.deviceID
      if case .push(let push) = request { deviceID = push.deviceID }
      caller = Caller(user: user, deviceID: deviceID)
    } catch {
      throw DocumentRefusal(error)
    }
  }

  /// The document in the body.
  private static func body(of http: HTTPRequest) throws(DocumentError) -> JSON {
    if let coding = http.fields["Content-Encoding"], coding.lowercased() != "identity" {
      throw DocumentError(.unsupportedMediaType, "a body must not be compressed; `Content-Encoding` is \(coding)")
    }
    if let type = http.fields["Content-Type"] {
      let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
      guard name == "application/json" else {
        throw DocumentError(.unsupportedMediaType, "the body must be application/json, and is \(type)")
      }
    }
    do throws(JSONError) {
      return try JSON(exactly: http.body)
    } catch {
      throw DocumentError(.malformed, "the body is no JSON document: \(error)")
    }
  }

  /// The ID in a JSON value; nil if it has none.
  static func id(_ json: JSON) -> String? { json.string.flatMap { DocumentID.isValid($0) ? $0 : nil } }

  /// The time of any year in a JSON value; nil if it has none.
  static func time(_ json: JSON) -> WallTime? { json.string.flatMap(WallTime.init(anyTime:)) }
}
