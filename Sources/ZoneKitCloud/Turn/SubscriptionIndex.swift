import ZoneKitRecords

/// Which subscriptions are too young for changes to fire them (sync semantics, 2.1); kept in memory only.
struct SubscriptionIndex: Hashable {
  private struct Entry: Hashable {
    let database: DatabaseID
    let subscriptionID: Name
    let activeFrom: WallTime
  }

  private var young: [Entry] = []

  /// Whether a change made at that time fires the subscription.
  func isActive(_ subscriptionID: String, in database: DatabaseID, at now: WallTime) -> Bool {
    young.isEmpty
      || !young.contains {
        $0.database == database && $0.subscriptionID == Name(subscriptionID) && $0.activeFrom > now
      }
  }

  /// Takes in the subscriptions that a change saves, and forgets those that have come of age.
  mutating func take(_ change: DatabaseTransition, in database: DatabaseID, at now: WallTime, delay: Int64) {
    if !young.isEmpty { young.removeAll { $0.activeFrom <= now } }
    guard delay > 0 else { return }
    for subscription in change.savedSubscriptions {
      let id = Name(subscription.subscriptionID)
      young.removeAll { $0.database == database && $0.subscriptionID == id }
      let activeFrom = WallTime(milliseconds: now.milliseconds + delay)
      young.append(Entry(database: database, subscriptionID: id, activeFrom: activeFrom))
    }
  }
}
