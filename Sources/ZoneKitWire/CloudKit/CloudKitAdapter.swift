import ZoneKitRecords

/// CloudKit Web Services as a protocol adapter (CloudKit Web Services, a).
package struct CloudKitAdapter: ProtocolAdapter {
  /// The API token of the app, for a device's requests.
  package var apiToken: String
  /// The web token of the user, for a device's requests; nil for the one that names the account.
  package var webAuthToken: String?

  /// The API token of devices that are given none.
  package static let testToken = String(repeating: "0", count: 64)

  /// The adapter of an app with that API token.
  package init(apiToken: String = testToken) { self.apiToken = apiToken }

  /// Token operations are below `device`, all others below `database`.
  package var roots: [String] { ["database", "device"] }

  /// Reads the path, the query and the body of a request.
  package func call(of request: HTTPRequest, in context: CallContext) throws(CallRefusal) -> Call {
    let isCrossOrigin = request.fields["Origin"] != nil
    let read: CloudKitRequest
    do {
      read = try CloudKitRequest(request)
    } catch {
      throw CallRefusal(HTTPReply(CloudKitResponse(error, uuid: context.identifier), isCrossOrigin: isCrossOrigin))
    }
    return Call(
      read.request, container: read.route.container, environment: read.route.environment, scope: read.route.scope,
      credentials: .web(read.credentials)
    ) { outcome in
      let response =
        switch outcome {
        case .answered(let answer, let caller):
          CloudKitResponse(answer, to: read, of: caller, uuid: context.identifier, root: context.root)
        case .refused(let error):
          CloudKitResponse(error, uuid: context.identifier, redirectURL: read.ticket.url(root: context.root))
        }
      return HTTPReply(response, isCrossOrigin: isCrossOrigin)
    }
  }

  /// Writes an error of the whole request.
  package func reply(refusing request: HTTPRequest, with error: CloudError, in context: CallContext) -> HTTPReply {
    HTTPReply(CloudKitResponse(error, uuid: context.identifier), isCrossOrigin: request.fields["Origin"] != nil)
  }

  /// Writes a request with the caller's tokens.
  package func request(_ request: CloudRequest, of database: DatabaseID, from caller: Caller) -> ClientRequest {
    ClientRequest(request, to: database, apiToken: apiToken, webAuthToken: webAuthToken, caller: caller)
  }

  /// Reads an answer; zones of the caller are named with `ZoneOwner.caller`.
  package func response(_ answer: HTTPResponse, to request: CloudRequest, from caller: Caller) -> CloudResponse {
    ClientResponseReader.read(status: answer.status, body: answer.body, to: request, as: caller)
  }
}

extension HTTPReply {
  /// The header field with the web token for the next requests.
  static let webAuthTokenField = "X-Apple-CloudKit-Web-Auth-Token"

  /// The reply for a response. If `isCrossOrigin`, pages of other origins may read the field with the web token
  /// (CloudKit Web Services, e.4).
  package init(_ response: CloudKitResponse, isCrossOrigin: Bool = false) {
    self.init(status: response.status, body: response.body)
    if let seconds = response.retryAfterSeconds { fields.append(HTTPField("Retry-After", String(seconds))) }
    if !response.allowedMethods.isEmpty {
      fields.append(HTTPField("Allow", response.allowedMethods.joined(separator: ", ")))
    }
    if isCrossOrigin {
      fields.append(HTTPField("Access-Control-Expose-Headers", Self.webAuthTokenField))
    }
  }
}
