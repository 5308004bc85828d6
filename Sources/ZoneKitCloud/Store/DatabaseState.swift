import ZoneKitRecords

/// The content of a database besides its zones.
package struct DatabaseState: Hashable, Sendable {
  /// A random number that database tokens carry. It is drawn when the database is first written to; nil before that.
  package var identity: UInt64?
  /// The highest database sequence of all zones; 0 if nothing was written yet.
  package var sequence: Int64
  /// The run of the server that made the last change of a zone; 0 if it is not known.
  package var run: UInt64 = 0
  /// The sequences that runs of the server skipped, as the zones have them, in any order.
  package var gaps: [NumberGap] = []
  /// The subscriptions, in ascending order of their keys.
  package var subscriptions: [Subscription]
  /// The push registrations of the account, in ascending byte order of their tokens.
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
