import ZoneKitRecords

/// What an HTTP request of any protocol asks of the cloud.
package struct Call: Sendable {
  /// Who sends the request, as far as the request itself says.
  package enum Credentials: Hashable, Sendable {
    /// The protocol itself names the caller; nothing is to be verified.
    case caller(Caller)
    /// The tokens of an app and of a user, each nil where the request has none, and the device.
    case tokens(app: String?, user: String?, deviceID: String?)
  }

  /// How a call ended.
  package enum Outcome: Hashable, Sendable {
    /// The cloud answered the caller.
    case answered(CloudResponse, Caller)
    /// The credentials were refused.
    case refused(CloudError)
  }

  /// Who sends the request.
  package let credentials: Credentials
  /// The container of the database.
  package let container: Name
  /// The environment of the database.
  package let environment: Environment
  /// The scope of the database.
  package let scope: DatabaseScope
  /// What is asked.
  package let request: CloudRequest
  private let encode: @Sendable (Outcome) -> HTTPReply

  /// A call; `encode` writes the reply in the protocol's own form.
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

  /// The database that the call is about, where that is its caller.
  package func database(of caller: Caller) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: caller.user, scope: scope)
  }

  /// The HTTP reply to the call.
  package func reply(_ outcome: Outcome) -> HTTPReply { encode(outcome) }
}
