import ZoneKitRecords

/// A request to the cloud, read from an HTTP request of any protocol.
package struct Call: Sendable {
  /// The credentials in the request.
  package enum Credentials: Hashable, Sendable {
    /// The protocol itself identifies the caller; nothing has to be verified.
    case caller(Caller)
    /// The tokens of an app and of a user, each nil if the request has none, and the device ID.
    case tokens(app: String?, user: String?, deviceID: String?)
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

  /// Whether the call only reads records of a public database.
  package var readsPublicRecords: Bool {
    switch request {
    case .lookupRecords, .queryRecords: scope == .public
    default: false
    }
  }

  /// The caller's database for this call.
  package func database(of caller: Caller) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: caller.user, scope: scope)
  }

  /// The HTTP reply for that result.
  package func reply(_ outcome: Outcome) -> HTTPReply { encode(outcome) }
}
