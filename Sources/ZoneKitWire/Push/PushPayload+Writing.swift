import ZoneKitRecords

/// Writes a payload in APNs' form (CloudKit Web Services, f.3), directly as bytes: it is written once for each change,
/// and measured while it is pruned.
extension [UInt8] {
  /// Appends a notification's payload. Without a subject the members of the subscription (its ID, database and zone)
  /// are left out, because they have no place then.
  package mutating func append(payload notification: PushNotification) {
    if let payload = notification.payload { return append(contentsOf: payload) }
    append(literal: #"{"aps":{"#)
    var aps = Separator()
    appendAlert(notification.info, &aps)
    if notification.info.shouldSendContentAvailable { append(1, "content-available", &aps) }
    if notification.info.shouldBadge { append(1, "badge", &aps) }
    append(notification.info.soundName, "sound", &aps)
    append(notification.info.category, "category", &aps)
    append(literal: #"},"ck":{"ce":2"#)
    var ck = Separator(isFirst: false)
    append(notification.container?.text, "cid", &ck)
    append(notification.userRecordName?.text, "ckuserid", &ck)
    append(notification.notificationID, "nid", &ck)
    if notification.isPruned { append(1, "p", &ck) }
    appendTracing(notification)
    appendSubject(notification)
    append(literal: "}}")
  }

  private mutating func appendAlert(_ info: NotificationInfo, _ aps: inout Separator) {
    let isPlain =
      info.alertLocalizationKey == nil && info.alertLocalizationArgs.isEmpty
      && info.alertActionLocalizationKey == nil && info.alertLaunchImage == nil && info.title == nil
      && info.subtitle == nil && info.titleLocalizationKey == nil && info.subtitleLocalizationKey == nil
    guard !isPlain else { return append(info.alertBody, "alert", &aps) }
    appendName("alert", &aps)
    append(literal: "{")
    var alert = Separator()
    append(info.title, "title", &alert)
    append(info.subtitle, "subtitle", &alert)
    append(info.alertBody, "body", &alert)
    append(info.titleLocalizationKey, "title-loc-key", &alert)
    append(info.titleLocalizationArgs, "title-loc-args", &alert)
    append(info.subtitleLocalizationKey, "subtitle-loc-key", &alert)
    append(info.subtitleLocalizationArgs, "subtitle-loc-args", &alert)
    append(info.alertLocalizationKey, "loc-key", &alert)
    append(info.alertLocalizationArgs, "loc-args", &alert)
    append(info.alertActionLocalizationKey, "action-loc-key", &alert)
    append(info.alertLaunchImage, "launch-image", &alert)
    append(literal: "}")
  }

  private mutating func appendTracing(_ notification: PushNotification) {
    guard notification.committedAt != nil || notification.sentAt != nil else { return }
    append(literal: #","aux":{"#)
    var aux = Separator()
    if let time = notification.committedAt { append(time.milliseconds, "committedAt", &aux) }
    if let time = notification.sentAt { append(time.milliseconds, "sentAt", &aux) }
    append(literal: "}")
  }

  private mutating func appendSubject(_ notification: PushNotification) {
    switch notification.subject {
    case nil: return
    case .zone: append(literal: #","fet":{"#)
    case .database: append(literal: #","met":{"#)
    case .query: append(literal: #","qry":{"#)
    }
    var subject = Separator()
    append(notification.subscriptionID, "sid", &subject)
    if let scope = notification.scope { append(scope.pushNumber, "dbs", &subject) }
    append(notification.zoneID?.zoneName.text, "zid", &subject)
    append(notification.zoneID?.owner.recordName.text, "zoid", &subject)
    if let record = notification.record { append(record, &subject) }
    append(literal: "}")
  }

  /// Fields have plain values (CloudKit Web Services, f.3: `af`).
  private mutating func append(_ record: RecordNotice, _ subject: inout Separator) {
    append(record.recordName.text, "rid", &subject)
    append(record.change.pushNumber, "fo", &subject)
    guard !record.fields.isEmpty else { return }
    appendName("af", &subject)
    append(literal: "{")
    var fields = Separator()
    for field in record.fields {
      appendName(field.name.text, &fields)
      append(field.value)
    }
    append(literal: "}")
  }

  private mutating func append(_ texts: [String], _ name: String, _ separator: inout Separator) {
    guard !texts.isEmpty else { return }
    appendName(name, &separator)
    appendJSON(.array(texts.map { .string($0) }))
  }

  private mutating func append(_ text: String?, _ name: String, _ separator: inout Separator) {
    guard let text else { return }
    appendName(name, &separator)
    appendJSONString(text)
  }

  private mutating func append(_ number: Int64, _ name: String, _ separator: inout Separator) {
    appendName(name, &separator)
    appendDecimal(number)
  }

  private mutating func appendName(_ name: String, _ separator: inout Separator) {
    append(literal: separator.next)
    append(literal: name)
    append(literal: "\":")
  }
}

/// The separator before a member: a comma, except before the first member of an object.
private struct Separator {
  var isFirst = true

  var next: String {
    mutating get {
      defer { isFirst = false }
      return isFirst ? "\"" : ",\""
    }
  }
}

extension DatabaseScope {
  /// The number in `dbs`, as in captured payloads (CloudKit Web Services, f.3).
  var pushNumber: Int64 {
    switch self {
    case .private: 1
    case .public: 2
    case .shared: 3
    }
  }
}
