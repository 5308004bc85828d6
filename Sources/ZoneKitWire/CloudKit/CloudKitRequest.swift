import ZoneKitRecords

/// One request of CloudKit Web Services, read from its path, query and body (CloudKit Web Services, a).
package struct CloudKitRequest: Hashable, Sendable {
  /// Where it goes.
  package var route: Route
  /// `ckAPIToken`, where the query has one.
  package var apiToken: String?
  /// `ckWebAuthToken`, where the query has one.
  package var webAuthToken: String?
  /// The device that sends it: `clientId` of the query, else of the body.
  package var deviceID: String?
  /// What it asks.
  package var request: CloudRequest
  /// How the answer is to be written.
  package var shape: ResponseShape

  /// Reads a request, whatever media type it names. An empty body means `{}`.
  package init(_ http: HTTPRequest) throws(RequestFailure) {
    route = try Route(method: http.method, path: http.path)
    let query: HTTPQuery
    do {
      query = try http.queryItems()
    } catch {
      throw .badRequest(error.reason)
    }
    apiToken = query["ckAPIToken"]
    webAuthToken = query["ckWebAuthToken"]
    deviceID = query["clientId"].flatMap { $0.isEmpty ? nil : $0 }
    let json = try Self.object(http.body)
    do throws(MemberError) {
      if deviceID == nil { deviceID = try json.deviceID() }
      request = try RequestBodyReader(json: json, deviceID: deviceID).request(for: route.endpoint)
      shape = try ResponseShape(json, for: route.endpoint)
    } catch {
      throw .badRequest(error.reason)
    }
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
