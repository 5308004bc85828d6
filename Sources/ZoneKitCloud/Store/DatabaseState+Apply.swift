import ZoneKitRecords

extension DatabaseState {
  /// Applies a change. Both lists stay in order.
  package mutating func apply(_ change: DatabaseTransition) {
    if let identity = change.identity { self.identity = identity }
    let goneSubscriptions = Set(change.removedSubscriptions + change.savedSubscriptions.map(\.key))
    subscriptions.removeAll { goneSubscriptions.contains($0.key) }
    subscriptions += change.savedSubscriptions
    subscriptions.sort { $0.key < $1.key }
    let goneRegistrations = Set((change.removedRegistrations + change.savedRegistrations.map(\.token)).map { Name($0) })
    registrations.removeAll { goneRegistrations.contains(Name($0.token)) }
    registrations += change.savedRegistrations
    registrations.sort { Name($0.token) < Name($1.token) }
  }
}
