import ZoneKitRecords

/// Reads a payload, for devices. A push is only a hint, so a key that is missing or has a wrong type is treated as one
/// that the push service pruned. Only a text that is not a payload at all is an error.
extension PushNotification {
  /// Reads a payload, received or given by hand.
  package init(payload bytes: ArraySlice<UInt8>) throws(PushLineError) {
    try self.init(payload: try JSON(pushLine: bytes))
  }

  /// Reads a payload, received or given by hand.
  package init(payload: JSON) throws(PushLineError) {
    let aps = payload["aps"]
    let ck = payload["ck"]
    guard aps?.object != nil || ck?.object != nil else {
      throw PushLineError(#"expected a push payload with an object "aps" or "ck", found neither"#)
    }
    self.init(notificationID: ck?["nid"]?.string, info: NotificationInfo(aps: aps))
    container = ck?["cid"]?.string.map { Name($0) }
    userRecordName = ck?["ckuserid"]?.string.map { Name($0) }
    isPruned = ck?["p"].map(isSet) ?? false
    committedAt = ck?["aux"]?["committedAt"]?.integer.map { WallTime(milliseconds: $0) }
    sentAt = ck?["aux"]?["sentAt"]?.integer.map { WallTime(milliseconds: $0) }
    read(ck)
  }

  private mutating func read(_ ck: JSON?) {
    if ck?["met"] != nil {
      subject = .database
    } else if ck?["fet"] != nil {
      subject = .zone
    } else if ck?["qry"] != nil {
      subject = .query
    }
    guard let body = ck?["met"] ?? ck?["fet"] ?? ck?["qry"] else { return }
    subscriptionID = body["sid"]?.string
    if subject == .query, let name = body["rid"]?.string {
      let change = RecordChangeKind.allCases.first { $0.pushNumber == body["fo"]?.integer }
      record = RecordNotice(change ?? .update, of: Name(name))
    }
    scope = body["dbs"]?.integer.flatMap { number in DatabaseScope.allCases.first { $0.pushNumber == number } }
    zoneID = body["zid"]?.string.map { zone in
      ZoneID(zoneName: Name(zone), owner: ZoneOwner(recordName: Name(body["zoid"]?.string ?? "")))
    }
  }
}

extension NotificationInfo {
  /// Reads the dictionary `aps`.
  fileprivate init(aps: JSON?) {
    let alert = aps?["alert"]
    self.init(
      alertBody: alert?.string ?? alert?["body"]?.string, shouldBadge: aps?["badge"].map(isSet) ?? false,
      shouldSendContentAvailable: aps?["content-available"].map(isSet) ?? false)
    title = alert?["title"]?.string
    subtitle = alert?["subtitle"]?.string
    titleLocalizationKey = alert?["title-loc-key"]?.string
    titleLocalizationArgs = alert?["title-loc-args"]?.array?.compactMap { $0.string } ?? []
    subtitleLocalizationKey = alert?["subtitle-loc-key"]?.string
    subtitleLocalizationArgs = alert?["subtitle-loc-args"]?.array?.compactMap { $0.string } ?? []
    alertLocalizationKey = alert?["loc-key"]?.string
    alertLocalizationArgs = alert?["loc-args"]?.array?.compactMap { $0.string } ?? []
    alertActionLocalizationKey = alert?["action-loc-key"]?.string
    alertLaunchImage = alert?["launch-image"]?.string
    soundName = aps?["sound"]?.string
    category = aps?["category"]?.string
  }
}

/// Whether a flag is set. APNs writes 1; payloads written by hand often have true.
private func isSet(_ flag: JSON) -> Bool { flag.bool ?? ((flag.integer ?? 0) != 0) }
