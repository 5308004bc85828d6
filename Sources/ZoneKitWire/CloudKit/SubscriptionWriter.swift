import ZoneKitRecords

/// Writes subscriptions and their notification info (CloudKit Web Services, b.8).
struct SubscriptionWriter {
  /// The caller's user record name; nil writes the placeholder as the owner of the caller's own zones.
  let userRecordName: Name?

  /// The JSON object of a subscription.
  func json(_ subscription: Subscription) -> JSON {
    let type: JSON
    var zoneID: ZoneID?
    var query: QuerySubscription?
    switch subscription.kind {
    case .database: type = "database"
    case .zone(let watched): (type, zoneID) = ("zone", watched)
    case .query(let watched): (type, zoneID, query) = ("query", watched.zoneID, watched)
    }
    return JSON(known: [
      "subscriptionID": .string(subscription.subscriptionID), "subscriptionType": type,
      "zoneID": zoneID.map {
        ["zoneName": .string($0.zoneName.text), "ownerRecordName": .string(owner(of: $0).text)]
      },
      "zoneWide": query.map { .bool($0.zoneID == nil) }, "query": query.map { QueryWriter.json($0.query) },
      "firesOn": query.map { .array($0.firesOn.map { .string($0.rawValue) }) },
      "firesOnce": subscription.firesOnce ? true : nil,
      "notificationInfo": subscription.notificationInfo.map(Self.json),
    ])
  }

  private func owner(of zoneID: ZoneID) -> Name {
    userRecordName.map { zoneID.owner.recordName(callerIs: $0) } ?? zoneID.owner.recordName
  }

  private static func json(_ info: NotificationInfo) -> JSON {
    let arguments = info.alertLocalizationArgs.map(JSON.string)
    let members = [JSON.Member](known: [
      "alertBody": info.alertBody.map(JSON.string), "alertLocalizationKey": info.alertLocalizationKey.map(JSON.string),
      "alertActionLocalizationKey": info.alertActionLocalizationKey.map(JSON.string),
      "alertLaunchImage": info.alertLaunchImage.map(JSON.string), "soundName": info.soundName.map(JSON.string),
      "category": info.category.map(JSON.string), "alertLocalizationArgs": arguments.isEmpty ? nil : .array(arguments),
      "shouldBadge": .bool(info.shouldBadge), "shouldSendContentAvailable": .bool(info.shouldSendContentAvailable),
    ])
    return .object(members + info.addedMembers)
  }

  /// Appends the result for one subscription of a request.
  func append(_ result: SubscriptionResult, to output: inout [UInt8]) {
    switch result {
    case .subscription(let subscription):
      output.appendJSON(json(subscription))
    case .replaced(let subscription):
      // An extension of Apple's answer: a device needs it to know whether it created or replaced the subscription.
      output.appendJSON(.object((json(subscription).object ?? []) + [JSON.Member("replaced", .bool(true))]))
    case .deleted(let id):
      // Apple's answer has only the ID, and one client needs `deleted`, so both are written (CloudKit Web Services,
      // i.28).
      output.append(literal: "{\"subscriptionID\":")
      output.appendJSONString(id)
      output.append(literal: ",\"deleted\":true}")
    case .failed(let id, let error):
      output.append(literal: "{\"subscriptionID\":")
      output.appendJSONString((id ?? "").errorText)
      output.append(UInt8(ascii: ","))
      ErrorCodec.appendMembers(error, to: &output)
      output.append(UInt8(ascii: "}"))
    }
  }
}
