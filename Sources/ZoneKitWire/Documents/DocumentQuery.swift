import ZoneKitDocuments
import ZoneKitRecords

/// The members of the query of a request for documents. Other members are ignored.
struct DocumentQuery {
  private let items: HTTPQuery
  /// The device that the query names; nil for none.
  let deviceID: String?

  /// Reads a query, and checks the members of every request: the device, and the version of the schema.
  init(_ http: HTTPRequest, schema: DocumentSchema) throws(DocumentError) {
    do {
      items = try http.queryItems()
    } catch {
      throw DocumentError(.malformed, error.reason)
    }
    deviceID = items["device"]
    if let deviceID, !DocumentID.isValid(deviceID) {
      throw .malformed("device", "must have 1 to 64 of the characters A-Z, a-z, 0-9, - and _")
    }
    guard let version = try number("schema") else { return }
    guard version == Int64(schema.version) else {
      throw DocumentError(
        .schemaMismatch, "the server knows version \(schema.version) of the schema, not \(version)", path: "schema")
    }
  }

  /// The value of that name; nil if it is absent.
  func text(_ name: String) -> String? { items[name] }

  /// The whole number of that name; nil if it is absent.
  func number(_ name: String) throws(DocumentError) -> Int64? {
    guard let text = items[name] else { return nil }
    let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isNumber, let number = (try? JSON(parsing: text))?.wholeNumber else {
      throw .malformed(name, "must be a whole number, and is \"\(text)\"")
    }
    return number
  }
}
