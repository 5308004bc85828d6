import ZoneKitRecords

/// The query subscriptions that changes of records in a zone fire (CloudKit Web Services, f.3): a created or saved record
/// is judged after the change, and a deleted one before it.
struct QueryMatches {
  /// One entry for each record and subscription, in the order of the changes.
  private(set) var all: [Notice.Match] = []

  /// The matches of those changes. Throws if something cannot be read.
  init(
    of records: [StoredRecord], in zone: ZoneKey, _ subscriptions: [Subscription], of evaluation: Evaluation
  ) throws(EvaluationFailure) {
    let fitting = subscriptions.filter { $0.mayMatch(zone.zoneName) && evaluation.isActive($0, in: zone.database) }
    guard !fitting.isEmpty else { return }
    var reader = evaluation.reader
    let content = reader.content(of: zone)
    var spent: Set<Subscription.Key> = []
    for record in records {
      for subscription in fitting where !spent.contains(subscription.key) {
        guard case .query(let watched) = subscription.kind, watched.query.recordType == record.recordType,
          let notice = try Self.notice(of: record, watched, subscription.notificationInfo, in: content)
        else { continue }
        if subscription.firesOnce { spent.insert(subscription.key) }
        all.append(notice.match(of: subscription))
      }
    }
  }

  /// What a subscription says of a change.
  fileprivate struct Found {
    let notice: RecordNotice
    let fields: Fields
  }

  fileprivate static func notice(
    of record: StoredRecord, _ watched: QuerySubscription, _ info: NotificationInfo?, in content: ZoneContent
  ) throws(EvaluationFailure) -> Found? {
    let before = try content.record(record.recordName).flatMap { $0.isDeleted ? nil : $0 }
    let change: RecordChangeKind = record.isDeleted ? .delete : before == nil ? .create : .update
    guard watched.firesOn.contains(change), let judged = record.isDeleted ? before : record else { return nil }
    let schema = try content.schema(of: record.recordType)
    let fields = try judged.decodedFields()
    let condition: RecordCondition
    do throws(EvaluationFailure) {
      condition = try QueryTranslation(query: watched.query, schema: schema).condition()
    } catch {
      // A filter that the schema has made impossible since then matches nothing.
      return nil
    }
    guard condition.truth(of: RecordSight(judged, fields)) == true else { return nil }
    let added = (info?.additionalFields ?? []).compactMap { name in
      fields[Name(name)].map { RecordNotice.NamedValue(Name(name), $0) }
    }
    return Found(notice: RecordNotice(change, of: record.recordName, fields: added), fields: fields)
  }
}

extension Subscription {
  /// Whether it is a query subscription on that zone.
  fileprivate func mayMatch(_ zone: Name) -> Bool {
    guard case .query(let watched) = kind else { return false }
    return watched.zoneID.map { $0.zoneName == zone } ?? true
  }
}

extension QueryMatches.Found {
  /// The match. Names of fields in the texts of the notification are replaced by the fields' values.
  func match(of subscription: Subscription) -> Notice.Match {
    guard var info = subscription.notificationInfo else { return Notice.Match(subscription, notice) }
    info.alertLocalizationArgs = values(info.alertLocalizationArgs)
    info.titleLocalizationArgs = values(info.titleLocalizationArgs)
    info.subtitleLocalizationArgs = values(info.subtitleLocalizationArgs)
    var subscription = subscription
    subscription.notificationInfo = info
    return Notice.Match(subscription, notice)
  }

  private func values(_ names: [String]) -> [String] { names.map { fields[Name($0)]?.plainText ?? "" } }
}

extension FieldValue {
  /// The value as it stands in a text.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): return text
    case .int64(let number): return "\(number)"
    case .double(let number): return "\(number)"
    case .timestamp(let time): return time.iso8601
    case .reference(let reference): return reference.recordName.text
    case .bytes, .encryptedBytes, .location, .asset, .assetList, .stringList, .int64List, .doubleList, .bytesList,
      .timestampList,
      .referenceList, .locationList, .unknownList:
      var text: [UInt8] = []
      text.append(self)
      return String(decoding: text, as: UTF8.self)
    }
  }
}
