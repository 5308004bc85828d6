import ZoneKitRecords

/// What a database keeps besides its zones.
package struct DatabaseState: Hashable, Sendable {
  /// Drawn at random when the database is first written to; nil before. Database tokens carry it.
  package var identity: UInt64?
  /// The greatest database sequence of all zones; 0 where nothing was written yet.
  package var sequence: Int64
  /// The subscriptions, ascending by ID (byte by byte).
  package var subscriptions: [Subscription]
  /// The push registrations of the account, ascending by token (byte by byte).
  package var registrations: [PushRegistration]

  /// A database with that content.
  package init(
    identity: UInt64? = nil, sequence: Int64 = 0, subscriptions: [Subscription] = [],
    registrations: [PushRegistration] = []
  ) {
    self.identity = identity
    self.sequence = sequence
    self.subscriptions = subscriptions
    self.registrations = registrations
  }
}
