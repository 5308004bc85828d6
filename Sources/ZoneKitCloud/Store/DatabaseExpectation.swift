import ZoneKitRecords

/// What a change of a database's own state was worked out from. A store that holds something else by then refuses the
/// change as stale. The sequence is no part of it: changes of zones move it.
package struct DatabaseExpectation: Hashable, Sendable {
  private var identity: UInt64?
  private var subscriptions: [Subscription]

  /// Expects that state.
  package init(_ state: DatabaseState) {
    identity = state.identity
    subscriptions = state.subscriptions
  }

  /// Whether a store that holds this state has what the change was worked out from.
  package func holds(for state: DatabaseState) -> Bool {
    identity == state.identity && subscriptions == state.subscriptions
  }
}
