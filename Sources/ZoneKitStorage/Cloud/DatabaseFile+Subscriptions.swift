import ZoneKitCloud
import ZoneKitRecords

/// Subscriptions in a database's file.
extension DatabaseFile {
  /// The subscription in a row.
  func subscription(_ row: Row) throws(StoreError) -> Subscription {
    let user = row.text(16)
    var subscription = Subscription(
      subscriptionID: row.text(0), kind: try kind(row), notificationInfo: row.flag(5) ? try notificationInfo(row) : nil,
      firesOnce: row.flag(4))
    if !user.isEmpty { subscription.user = Name(user) }
    return subscription
  }

  private func kind(_ row: Row) throws(StoreError) -> Subscription.Kind {
    let zoneID = row.optionalText(2).map {
      ZoneID(zoneName: Name($0), owner: ZoneOwner(recordName: Name(row.optionalText(3) ?? "")))
    }
    switch (row.text(1), zoneID) {
    case ("zone", let zoneID?): return .zone(zoneID)
    case ("database", _): return .database
    case ("query", let zoneID):
      guard let query = CloudQuery(try json(row.optionalText(14) ?? "")) else {
        throw StoreError(.corrupt, "a subscription has no query that can be read", place: connection.path)
      }
      let words = (row.optionalText(15) ?? "").split(separator: " ")
      return .query(
        QuerySubscription(
          query, in: zoneID, firesOn: words.compactMap { RecordChangeKind(rawValue: String($0)) }))
    case (let other, _):
      throw StoreError(.corrupt, "a subscription has the unknown kind \(other)", place: connection.path)
    }
  }

  private func json(_ text: String) throws(StoreError) -> JSON {
    do {
      return try JSON(parsing: text)
    } catch {
      throw StoreError(.corrupt, "a subscription has a text that is not JSON: \(error)", place: connection.path)
    }
  }

  private func notificationInfo(_ row: Row) throws(StoreError) -> NotificationInfo {
    var info = NotificationInfo(
      alertBody: row.optionalText(6), shouldBadge: row.flag(12), shouldSendContentAvailable: row.flag(13))
    info.alertLocalizationKey = row.optionalText(7)
    info.alertActionLocalizationKey = row.optionalText(8)
    info.alertLaunchImage = row.optionalText(9)
    info.soundName = row.optionalText(10)
    info.category = row.optionalText(11)
    info.alertLocalizationArgs = try findArguments.all(.text(row.text(0)), .text(row.text(16))) { $0.text(0) }
    if let added = row.optionalText(17) { info.readAdded(try json(added)) }
    return info
  }

  /// Writes a subscription in the open transaction.
  func write(_ subscription: Subscription) throws(StoreError) {
    let info = subscription.notificationInfo ?? NotificationInfo()
    let (kind, zone, query) = Self.columns(of: subscription.kind)
    let user = subscription.user?.text ?? ""
    let added = info.addedMembers
    try saveSubscription.run(
      .text(subscription.subscriptionID), .text(kind), .text(zone?.zoneName.text), .text(zone?.owner.recordName.text),
      .flag(subscription.firesOnce), .flag(subscription.notificationInfo != nil), .text(info.alertBody),
      .text(info.alertLocalizationKey), .text(info.alertActionLocalizationKey), .text(info.alertLaunchImage),
      .text(info.soundName), .text(info.category), .flag(info.shouldBadge), .flag(info.shouldSendContentAvailable),
      query.map { .utf8($0.query.text) } ?? .null,
      .text(query?.firesOn.map(\.rawValue).joined(separator: " ")), .text(user),
      added.isEmpty ? .null : .utf8(JSON.object(added).bytes()))
    try removeArguments.run(.text(subscription.subscriptionID), .text(user))
    for (position, argument) in info.alertLocalizationArgs.enumerated() {
      try saveArgument.run(
        .text(subscription.subscriptionID), .text(user), .integer(Int64(position)), .text(argument))
    }
  }

  private static func columns(of kind: Subscription.Kind) -> (String, ZoneID?, QuerySubscription?) {
    switch kind {
    case .zone(let zoneID): ("zone", zoneID, nil)
    case .database: ("database", nil, nil)
    case .query(let query): ("query", query.zoneID, query)
    }
  }
}
