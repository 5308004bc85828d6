import ZoneKitRecords

/// The subscriptions that are too new to fire (sync semantics, 2.1). They are kept in memory only.
struct SubscriptionIndex: Hashable {
  private struct Entry: Hashable {
    let database: DatabaseID
    let subscriptionID: Name
    let activeFrom: WallTime
  }

  private var inactive: [Entry] = []

  /// Whether a change made at that time fires the subscription.
  func isActive(_ subscriptionID: String, in database: DatabaseID, at now: WallTime) -> Bool {
    inactive.isEmpty
      || !inactive.contains {
        $0.database == database && $0.subscriptionID == Name(subscriptionID) && $0.activeFrom > now
      }
  }

  /// Adds the subscriptions that a change saves, and removes those that fire by now.
  mutating func take(_ change: DatabaseTransition, in database: DatabaseID, at now: WallTime, delay: Int64) {
    if !inactive.isEmpty { inactive.removeAll { $0.activeFrom <= now } }
    guard delay > 0 else { return }
    for subscription in change.savedSubscriptions {
      let id = Name(subscription.subscriptionID)
      inactive.removeAll { $0.database == database && $0.subscriptionID == id }
      let activeFrom = WallTime(milliseconds: now.milliseconds + delay)
      inactive.append(Entry(database: database, subscriptionID: id, activeFrom: activeFrom))
    }
  }
}
