import ZoneKitRecords

/// Reads subscriptions and their notification info (CloudKit Web Services, b.8).
enum SubscriptionReader {
  /// An operation of `subscriptions/modify`. An invalid subscription is an error of that operation alone.
  static func operation(_ json: JSON) throws(MemberError) -> SubscriptionOperation {
    guard let subscription = json["subscription"], case .object = subscription else {
      throw MemberError("subscription", "must be an object")
    }
    switch json["operationType"]?.string {
    case "delete":
      guard let id = subscription["subscriptionID"]?.string else {
        throw MemberError("subscription.subscriptionID", "must be a string")
      }
      return .delete(id)
    case "create": return read(subscription, SubscriptionOperation.create)
    case "update": return read(subscription, SubscriptionOperation.update)
    default: throw MemberError("operationType", "must be create, update or delete")
    }
  }

  private static func read(
    _ json: JSON, _ operation: (Subscription) -> SubscriptionOperation
  ) -> SubscriptionOperation {
    do {
      return operation(try subscription(json))
    } catch {
      return .malformed(subscriptionID: json["subscriptionID"]?.string, error)
    }
  }

  /// The subscription in an object. A missing ID is read as "".
  static func subscription(_ json: JSON) throws(CloudError) -> Subscription {
    let kind = try kind(of: json)
    do throws(MemberError) {
      return Subscription(
        subscriptionID: try json.optionalString("subscriptionID") ?? "", kind: kind,
        notificationInfo: try info(of: json), firesOnce: try json.optionalBool("firesOnce") ?? false)
    } catch {
      throw CloudError(.invalidArguments, error.description)
    }
  }

  private static func kind(of json: JSON) throws(CloudError) -> Subscription.Kind {
    switch json["subscriptionType"]?.string {
    case "database": return .database
    case "zone":
      guard let zoneID = json["zoneID"].flatMap({ ZoneID($0) }) else {
        throw CloudError(.invalidArguments, "a zone subscription needs a zoneID such as {\"zoneName\":\"Notes\"}")
      }
      return .zone(zoneID)
    case "query":
      do throws(MemberError) {
        return .query(try query(of: json))
      } catch {
        throw CloudError(.invalidArguments, error.description)
      }
    default:
      throw CloudError(.invalidArguments, "subscriptionType must be query, zone or database")
    }
  }

  /// Without a zone all zones count, unless `zoneWide` says otherwise (CloudKit Web Services, b.8).
  private static func query(of json: JSON) throws(MemberError) -> QuerySubscription {
    guard let query = json["query"], case .object = query else { throw MemberError("query", "must be an object") }
    let kinds = RecordChangeKind.allCases.map(\.rawValue)
    let firesOn = try json.optionalStrings("firesOn") ?? []
    guard !firesOn.isEmpty, firesOn.allSatisfy(kinds.contains) else {
      throw MemberError("firesOn", "must be an array of at least one of \(kinds.joined(separator: ", "))")
    }
    let isWide = try json.optionalBool("zoneWide") ?? true
    return QuerySubscription(
      try QueryReader.query(query), in: try json.optionalZoneID("zoneID") ?? (isWide ? nil : .defaultZone),
      firesOn: firesOn.compactMap(RecordChangeKind.init(rawValue:)))
  }

  private static func info(of json: JSON) throws(MemberError) -> NotificationInfo? {
    guard let json = json.member("notificationInfo") else { return nil }
    guard case .object = json else { throw MemberError("notificationInfo", "must be an object") }
    do throws(MemberError) {
      return try info(json)
    } catch {
      throw error.within("notificationInfo")
    }
  }

  private static func info(_ json: JSON) throws(MemberError) -> NotificationInfo {
    var info = NotificationInfo(
      alertBody: try json.optionalString("alertBody"), shouldBadge: try json.optionalBool("shouldBadge") ?? false,
      shouldSendContentAvailable: try json.optionalBool("shouldSendContentAvailable") ?? false)
    info.alertLocalizationKey = try json.optionalString("alertLocalizationKey")
    info.alertLocalizationArgs = try json.optionalStrings("alertLocalizationArgs") ?? []
    info.alertActionLocalizationKey = try json.optionalString("alertActionLocalizationKey")
    info.alertLaunchImage = try json.optionalString("alertLaunchImage")
    info.soundName = try json.optionalString("soundName")
    info.category = try json.optionalString("category")
    info.title = try json.optionalString("title")
    info.subtitle = try json.optionalString("subtitle")
    info.titleLocalizationKey = try json.optionalString("titleLocalizationKey")
    info.titleLocalizationArgs = try json.optionalStrings("titleLocalizationArgs") ?? []
    info.subtitleLocalizationKey = try json.optionalString("subtitleLocalizationKey")
    info.subtitleLocalizationArgs = try json.optionalStrings("subtitleLocalizationArgs") ?? []
    info.additionalFields = try json.optionalStrings("additionalFields") ?? []
    return info
  }
}
