import ZoneKitPush
import ZoneKitRecords
import Testing

@Suite struct PruningTests {
  private let full: PushNotification = {
    var full = notification("n1", at: 0)
    full.info = NotificationInfo(alertBody: "body", shouldBadge: true, shouldSendContentAvailable: true)
    full.info.alertLocalizationKey = "key"
    full.info.alertLocalizationArgs = ["argument"]
    full.info.alertActionLocalizationKey = "action"
    full.info.alertLaunchImage = "image"
    full.info.soundName = "sound"
    full.info.category = "category"
    return full
  }()

  /// The names of what a notification still has.
  private func keys(_ notification: PushNotification) -> [String] {
    let info = notification.info
    let present: [(String, Bool)] = [
      ("tracing", notification.committedAt != nil || notification.sentAt != nil),
      ("container", notification.container != nil), ("scope", notification.scope != nil),
      ("zone", notification.zoneID != nil), ("sound", info.soundName != nil),
      ("launch image", info.alertLaunchImage != nil), ("action key", info.alertActionLocalizationKey != nil),
      ("alert body", info.alertBody != nil), ("arguments", !info.alertLocalizationArgs.isEmpty),
      ("key", info.alertLocalizationKey != nil), ("badge", info.shouldBadge), ("category", info.category != nil),
      ("notification ID", notification.notificationID != nil),
    ]
    return present.filter(\.1).map(\.0)
  }

  @Test func `what fits is left as it is`() {
    #expect(full.pruned { _ in 4096 } == full)
  }

  @Test(arguments: 0...13)
  func `keys go in CloudKit's order, the notification ID last`(kept: Int) {
    let pruned = full.pruned(toFit: { keys($0).count }, limit: kept)
    // Scope and zone go together, as the keys of one kind of notification.
    let expected = kept == 10 ? 9 : kept
    #expect(pruned.map { keys($0) } == Array(keys(full).suffix(expected)))
    #expect(pruned?.isPruned == (kept < 12))
  }

  @Test func `losing only our own tracing is not called pruned`() {
    let pruned = full.pruned(toFit: { keys($0).count }, limit: 12)
    #expect(pruned?.sentAt == nil)
    #expect(pruned?.isPruned == false)
  }

  @Test func `what cannot be made to fit is nil`() {
    #expect(full.pruned { _ in 4097 } == nil)
  }

  @Test func `subscription, user and the wake-up are never dropped`() {
    let pruned = full.pruned(toFit: { keys($0).count }, limit: 0)
    #expect(pruned?.subscriptionID == "all")
    #expect(pruned?.userRecordName == full.userRecordName)
    #expect(pruned?.info.shouldSendContentAvailable == true)
    #expect(pruned?.subject == .database)
  }
}

extension PushNotification {
  fileprivate func pruned(_ measure: (PushNotification) -> Int) -> PushNotification? { pruned(toFit: measure) }
}
