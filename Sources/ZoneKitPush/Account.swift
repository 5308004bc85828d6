import ZoneKitRecords

extension PushGateway {
  /// The account that gets the notifications of a token: one user in one environment of a container.
  package struct Account: Hashable, Sendable {
    /// The container.
    package var container: Name
    /// `development` or `production`.
    package var environment: Environment
    /// The account's plain name.
    package var user: Name

    /// The account of that user.
    package init(container: Name, environment: Environment, user: Name) {
      self.container = container
      self.environment = environment
      self.user = user
    }
  }
}
