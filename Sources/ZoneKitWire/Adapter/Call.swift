import ZoneKitRecords

/// A request to the cloud, read from an HTTP request of any protocol.
package struct Call: Sendable {
  /// The credentials in the request.
  package enum Credentials: Hashable, Sendable {
    /// The protocol itself identifies the caller; nothing has to be verified.
    case caller(Caller)
    /// The tokens or the signature of the request.
    case web(WebCredentials)
  }

  /// The result of a call.
  package enum Outcome: Hashable, Sendable {
    /// The cloud's response, and the caller.
    case answered(CloudResponse, Caller)
    /// The credentials were refused.
    case refused(CloudError)
  }

  /// The credentials in the request.
  package let credentials: Credentials
  /// The container of the database.
  package let container: Name
  /// The environment of the database.
  package let environment: Environment
  /// The scope of the database.
  package let scope: DatabaseScope
  /// The request to the cloud.
  package let request: CloudRequest
  private let encode: @Sendable (Outcome) -> HTTPReply

  /// A call. `encode` converts its result to a reply of the protocol.
  package init(
    _ request: CloudRequest, container: Name, environment: Environment, scope: DatabaseScope, credentials: Credentials,
    encode: @escaping @Sendable (Outcome) -> HTTPReply
  ) {
    self.request = request
    self.container = container
    self.environment = environment
    self.scope = scope
    self.credentials = credentials
    self.encode = encode
  }

  /// What the call is for, as far as it matters who sends it. Everyone with an API token may read records of a public
  /// database (CloudKit Web Services, e.1).
  package var purpose: WebCredentials.Purpose {
    switch request {
    case .lookupRecords, .queryRecords: scope == .public ? .publicReading : .other
    case .fetchUsers: .users
    case .listZones, .lookupZones, .modifyZones, .modifyRecords, .createUploads, .rereferenceAssets,
      .fetchDatabaseChanges, .fetchZoneChanges,
      .resolveShares, .acceptShares, .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .createPushToken,
      .registerPushToken:
      .other
    }
  }

  /// The caller's database for this call.
  package func database(of caller: Caller) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: caller.user, scope: scope)
  }

  /// The HTTP reply for that result, with the web token for the next requests if there is one (CloudKit Web Services, e.2).
  package func reply(_ outcome: Outcome, webAuthToken: String? = nil) -> HTTPReply {
    var reply = encode(outcome)
    if let webAuthToken { reply.fields.append(HTTPField(HTTPReply.webAuthTokenField, webAuthToken)) }
    return reply
  }
}
