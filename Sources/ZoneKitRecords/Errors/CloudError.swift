/// An error that the cloud answers with: a value that a client must see and act on.
public struct CloudError: Error, Hashable, Sendable {
  /// The kind of error.
  public var code: CloudErrorCode
  /// What was wrong, where, and what would be right, in a sentence.
  public var reason: String
  /// How long to wait before the next try, in milliseconds, where the cloud says so.
  public var retryAfterMilliseconds: Int64?

  /// An error of that code and reason.
  public init(_ code: CloudErrorCode, _ reason: String, retryAfterMilliseconds: Int64? = nil) {
    self.code = code
    self.reason = reason
    self.retryAfterMilliseconds = retryAfterMilliseconds
  }
}
