import ZoneKitRecords

/// Writes subscriptions and their notification info (CloudKit Web Services, b.8).
struct SubscriptionWriter {
  /// The caller's user record name; nil writes the placeholder as the owner of the caller's own zones.
  let userRecordName: Name?

  /// The JSON object of a subscription.
  func json(_ subscription: Subscription) -> JSON {
    var members = [JSON.Member("subscriptionID", .string(subscription.subscriptionID))]
    switch subscription.kind {
    case .database: members.append(JSON.Member("subscriptionType", "database"))
    case .zone(let zoneID):
      members.append(JSON.Member("subscriptionType", "zone"))
      members.append(
        JSON.Member(
          "zoneID",
          ["zoneName": .string(zoneID.zoneName.text), "ownerRecordName": .string(owner(of: zoneID).text)]))
    }
    if subscription.firesOnce { members.append(JSON.Member("firesOnce", true)) }
    if let info = subscription.notificationInfo { members.append(JSON.Member("notificationInfo", Self.json(info))) }
    return .object(members)
  }

  private func owner(of zoneID: ZoneID) -> Name {
    userRecordName.map { zoneID.owner.recordName(callerIs: $0) } ?? zoneID.owner.recordName
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
