/// An error with which the cloud answers a request or one of its items.
public struct CloudError: Error, Hashable, Sendable {
  /// The error code.
  public var code: CloudErrorCode
  /// A sentence with what was wrong, where, and what would be right.
  public var reason: String
  /// The time to wait before the next attempt, in milliseconds, if the cloud gives one.
  public var retryAfterMilliseconds: Int64?
  /// Whether the cloud lost changes that it had answered, so that clients offer what they have. Only with
  /// `changeTokenExpired` and `zoneNotFound`.
  public var isAfterLoss = false
  /// How the zone ended that the client knows, if somebody meant it: with `userDeletedZone`, or with `changeTokenExpired`
  /// if the zone was created again since.
  public var ending: ZoneEnding?

  /// An error with that code and reason.
  public init(_ code: CloudErrorCode, _ reason: String, retryAfterMilliseconds: Int64? = nil) {
    self.code = code
    self.reason = reason
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}
