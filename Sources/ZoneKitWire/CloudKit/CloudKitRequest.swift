import ZoneKitRecords

/// A request of CloudKit Web Services, read from its path, query and body (CloudKit Web Services, a).
package struct CloudKitRequest: Hashable, Sendable {
  /// The database and the operation.
  package var route: Route
  /// The tokens of the query, the signature of the header, and the device: `clientId` of the query, otherwise of the body.
  package var credentials: WebCredentials
  /// The request to the cloud.
  package var request: CloudRequest
  /// The form in which the answer has to be written.
  package var shape: ResponseShape

  /// Reads a request, independent of its media type. An empty body means `{}`.
  package init(_ http: HTTPRequest) throws(RequestFailure) {
    route = try Route(method: http.method, path: http.path)
    let query: HTTPQuery
    do {
      query = try http.queryItems()
    } catch {
      throw .badRequest(error.description)
    }
    var deviceID = query["clientId"].flatMap { $0.isEmpty ? nil : $0 }
    let json = try Self.object(http.body)
    do throws(MemberError) {
      if deviceID == nil { deviceID = try json.deviceID() }
      request = try RequestBodyReader(json: json, method: http.method, deviceID: deviceID).request(for: route.endpoint)
      shape = try ResponseShape(json, for: route.endpoint)
      shape.hasToken = query["getCurrentSyncToken"] == "true"
    } catch {
      throw .badRequest(error.description)
    }
    credentials = WebCredentials(
      apiToken: query["ckAPIToken"], webAuthToken: query["ckWebAuthToken"], signature: RequestSignature(http),
      deviceID: deviceID)
  }

  private static func object(_ body: [UInt8]) throws(RequestFailure) -> JSON {
    guard !body.isEmpty else { return .object([]) }
    let json: JSON
    do {
      json = try JSON(parsing: body)
    } catch {
      throw .badRequest("the body is not JSON: \(error)")
    }
    guard case .object = json else { throw .badRequest("the body must be a JSON object, not \(json.kind)") }
    return json
  }
}
