/// What a push says beyond its notification about how to fetch the change. A push service that knows nothing of the kind
/// gives no hint.
public struct PushHint: Hashable, Sendable {
  /// The types of records that the change may concern; nil for all. The fetch is limited to them, so the cloud's change
  /// tokens need a position for each type.
  public var types: [Name]?
  /// The time without further pushes after which the fetch starts, in milliseconds; nil for the device's setting.
  public var quiet: Int64?
  /// The longest time from the first push to the fetch, in milliseconds; nil for the device's setting.
  public var limit: Int64?

  /// A hint with these parts.
  public init(types: [Name]? = nil, quiet: Int64? = nil, limit: Int64? = nil) {
    self.types = types
    self.quiet = quiet
    self.limit = limit
  }
}
