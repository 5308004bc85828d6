import ZoneKitRecords

/// The state of a database on which a change is based. A store that holds a different state at the commit refuses the
/// change as stale. The sequence is not part of it, because changes of zones increase it.
package struct DatabaseExpectation: Hashable, Sendable {
  private var identity: UInt64?
  private var subscriptions: [Subscription]

  /// The expectation of that state.
  package init(_ state: DatabaseState) {
    identity = state.identity
    subscriptions = state.subscriptions
  }

  /// Whether this state is the one on which the change is based.
  package func holds(for state: DatabaseState) -> Bool {
    identity == state.identity && subscriptions == state.subscriptions
  }
}
