import Records

/// Subscriptions and their notification info as JSON (CloudKit Web Services, b.8).
enum SubscriptionCodec {
  /// One operation of `subscriptions/modify`.
  static func operation(_ json: JSON, at place: String) throws(RequestFailure) -> SubscriptionOperation {
    guard let subscription = json["subscription"], case .object = subscription else {
      throw .badRequest("\(place).subscription must be an object")
    }
    let id = subscription["subscriptionID"]?.string
    switch json["operationType"]?.string {
    case "delete":
      guard let id else { throw .badRequest("\(place).subscription.subscriptionID must be a string") }
      return .delete(id)
    case "create": return read(subscription, or: id, then: SubscriptionOperation.create)
    case "update": return read(subscription, or: id, then: SubscriptionOperation.update)
    default: throw .badRequest("\(place).operationType must be create, update or delete")
    }
  }

  private static func read(
    _ json: JSON, or id: String?, then operation: (Subscription) -> SubscriptionOperation
  ) -> SubscriptionOperation {
    do {
      return operation(try subscription(json))
    } catch {
      return .malformed(subscriptionID: id, error)
    }
  }

  /// The subscription that an object describes; an absent ID is read as "".
  static func subscription(_ json: JSON) throws(CloudError) -> Subscription {
    let kind: Subscription.Kind
    switch json["subscriptionType"]?.string {
    case "database": kind = .database
    case "zone":
      guard let zoneID = json["zoneID"].flatMap({ ZoneID($0) }) else {
        throw CloudError(.invalidArguments, "a zone subscription needs a zoneID such as {\"zoneName\":\"Notes\"}")
      }
      kind = .zone(zoneID)
    case "query":
      throw CloudError(.invalidArguments, "query subscriptions are not served by this version; use zone or database")
    default:
      throw CloudError(.invalidArguments, "subscriptionType must be zone or database")
    }
    return Subscription(
      subscriptionID: json["subscriptionID"]?.string ?? "", kind: kind,
      notificationInfo: json["notificationInfo"].flatMap(info), firesOnce: json["firesOnce"]?.bool ?? false)
  }

  private static func info(_ json: JSON) -> NotificationInfo? {
    guard case .object = json else { return nil }
    var info = NotificationInfo(
      alertBody: json["alertBody"]?.string, shouldBadge: json["shouldBadge"]?.bool ?? false,
      shouldSendContentAvailable: json["shouldSendContentAvailable"]?.bool ?? false)
    info.alertLocalizationKey = json["alertLocalizationKey"]?.string
    info.alertLocalizationArgs = json["alertLocalizationArgs"]?.array?.compactMap(\.string) ?? []
    info.alertActionLocalizationKey = json["alertActionLocalizationKey"]?.string
    info.alertLaunchImage = json["alertLaunchImage"]?.string
    info.soundName = json["soundName"]?.string
    info.category = json["category"]?.string
    return info
  }

  /// The object that describes a subscription.
  static func json(_ subscription: Subscription) -> JSON {
    var members = [JSON.Member("subscriptionID", .string(subscription.subscriptionID))]
    switch subscription.kind {
    case .database: members.append(JSON.Member("subscriptionType", .string("database")))
    case .zone(let zoneID):
      members.append(JSON.Member("subscriptionType", .string("zone")))
      members.append(JSON.Member("zoneID", zoneIDJSON(zoneID)))
    }
    if subscription.firesOnce { members.append(JSON.Member("firesOnce", .bool(true))) }
    if let info = subscription.notificationInfo { members.append(JSON.Member("notificationInfo", json(info))) }
    return .object(members)
  }

  private static func zoneIDJSON(_ zoneID: ZoneID) -> JSON {
    .object([
      JSON.Member("zoneName", .string(zoneID.zoneName.text)),
      JSON.Member("ownerRecordName", .string(zoneID.ownerName.text)),
    ])
  }

  private static func json(_ info: NotificationInfo) -> JSON {
    let texts: [(String, String?)] = [
      ("alertBody", info.alertBody), ("alertLocalizationKey", info.alertLocalizationKey),
      ("alertActionLocalizationKey", info.alertActionLocalizationKey), ("alertLaunchImage", info.alertLaunchImage),
      ("soundName", info.soundName), ("category", info.category),
    ]
    var members = texts.compactMap { key, text in text.map { JSON.Member(key, .string($0)) } }
    if !info.alertLocalizationArgs.isEmpty {
      members.append(JSON.Member("alertLocalizationArgs", .array(info.alertLocalizationArgs.map(JSON.string))))
    }
    members.append(JSON.Member("shouldBadge", .bool(info.shouldBadge)))
    members.append(JSON.Member("shouldSendContentAvailable", .bool(info.shouldSendContentAvailable)))
    return .object(members)
  }
}
