import ZoneKitCloud
import ZoneKitRecords

/// Every change notifies all subscriptions to the whole database.
package enum NoticeChecker {
  /// The violation in a notice of a database with those subscriptions; nil for none.
  package static func finding(_ notice: Notice, subscriptions: [Subscription]) -> Finding? {
    let missing = subscriptions.first {
      $0.kind == .database && !notice.subscriptions.contains($0)
    }
    guard let missing else { return nil }
    return Finding(
      .subscription,
      "subscription \(missing.subscriptionID) is not notified of a change of zone \(notice.zoneID.words)")
  }
}
