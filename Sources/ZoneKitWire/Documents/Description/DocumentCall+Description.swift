import ZoneKitDocuments
import ZoneKitRecords

extension DocumentCall {
  /// The description of the protocol, for a request of its path.
  package static func description(_ http: HTTPRequest, app: DocumentApp) throws(DocumentRefusal) -> JSON {
    guard http.method == "GET" else { throw .methods(["GET"]) }
    return DocumentDescription(of: app).json
  }
}
