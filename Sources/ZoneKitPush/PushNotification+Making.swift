import ZoneKitRecords

extension PushNotification {
  /// The notification of a change for a subscription of the user with that record name.
  init(
    _ notice: Notice, _ subscription: Subscription, _ info: NotificationInfo, of record: RecordNotice? = nil,
    for receiver: Name
  ) {
    self.init(subject: Subject(subscription.kind), notificationID: notice.notificationID, info: info)
    container = notice.database.container
    userRecordName = receiver
    subscriptionID = subscription.subscriptionID
    scope = notice.database.scope
    zoneID = notice.zoneID
    self.record = record
    committedAt = notice.committedAt
    originDeviceID = notice.originDeviceID
    // The owner of the public database has no name (CloudKit Web Services, f.3: `zoid`).
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
    case .query: self = .query
    }
  }
}

extension Subscription {
  /// The subscription of a watcher, for changes to which the user has no subscription.
  static let watch = Subscription(subscriptionID: PushGateway.watchID, kind: .database, notificationInfo: .silent)
}
