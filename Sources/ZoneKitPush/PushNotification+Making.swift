import ZoneKitRecords

extension PushNotification {
  /// The notification that a subscription of the user with that record name gets of a change.
  init(_ notice: Notice, _ subscription: Subscription, _ info: NotificationInfo, for receiver: Name) {
    self.init(subject: Subject(subscription.kind), notificationID: notice.notificationID, info: info)
    container = notice.database.container
    userRecordName = receiver
    subscriptionID = subscription.subscriptionID
    scope = notice.database.scope
    zoneID = notice.zoneID
    committedAt = notice.committedAt
    // The public database's owner stays nameless (CloudKit Web Services, f.3: `zoid`).
    if notice.zoneID.owner == .caller, notice.database.scope != .public {
      zoneID?.owner = .user(receiver)
    }
  }
}

extension PushNotification.Subject {
  init(_ kind: Subscription.Kind) {
    switch kind {
    case .zone: self = .zone
    case .database: self = .database
    }
  }
}

extension Subscription {
  /// Stands for a watcher's wish to see every change where the user subscribed to none.
  static let watch = Subscription(subscriptionID: "watch", kind: .database, notificationInfo: .silent)
}
