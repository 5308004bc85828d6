import ZoneKitRecords

/// How many bytes of records a request may read, and its answer may have. A small request must not make a large answer,
/// because the server holds every answer in memory until its client has read it.
package enum AnswerSize {
  /// The most bytes of an answer. A request for more is refused. An answer to changes repeats what the request sent, in
  /// a longer form, so it may have twice as many.
  package static let limit = 8 << 20
  /// The size up to which an answer is given even if the server has no room for larger ones.
  package static let small = 128 << 10
  /// The most bytes of stored records that a request with changes may read, for example to delete them.
  package static let reading = 64 << 20
  /// The approximate size of a record in an answer without its own content.
  static let perRecord = 300
  /// The approximate size of a reference in memory.
  static let perReference = 64

  /// How long a client waits before it repeats a request for which there was no room, in milliseconds.
  package static let retryAfter: Int64 = 1_000
}

extension CloudResponse {
  /// The approximate number of bytes of the answer; only its records and errors count.
  package var size: Int {
    switch self {
    case .records(let results), .atomicFailure(let results): results.reduce(0) { $0 + $1.size }
    case .queries(let results): results.reduce(0) { $0 + $1.size }
    case .zoneChanges(let results): results.reduce(0) { $0 + $1.size }
    case .subscriptions(let results): results.reduce(0) { $0 + $1.size }
    case .failure(let error): error.reason.utf8.count
    case .zones(let results): results.count * AnswerSize.perRecord
    case .databaseChanges(let changes): changes.zones.count * AnswerSize.perRecord
    case .uploads(let tokens): tokens.reduce(0) { $0 + $1.token.utf8.count + AnswerSize.perRecord }
    case .assets(let results): results.count * AnswerSize.perRecord
    case .users(let results): results.count * AnswerSize.perRecord
    case .shares(let results): results.count * 4 * AnswerSize.perRecord
    case .pushToken: 0
    }
  }
}

extension RecordPage {
  /// The approximate number of bytes of the page in an answer.
  var size: Int { bytes.count + count * AnswerSize.perRecord }
}

extension StoredRecord {
  /// The approximate number of bytes of the record in memory.
  var size: Int { fields.utf8.count + AnswerSize.perRecord }
}

extension RecordResult {
  fileprivate var size: Int {
    switch self {
    case .record(let record), .kept(let record): record.fields.utf8.count + AnswerSize.perRecord
    case .deleted: AnswerSize.perRecord
    case .failed(let name, let error): (name?.text.utf8.count ?? 0) + error.reason.utf8.count + AnswerSize.perRecord
    }
  }
}

extension QueryResult {
  fileprivate var size: Int {
    switch self {
    // The runs of one zone share their bytes.
    case .records(let records):
      records.runs.reduce(0) { size, run in
        size + run.page.rows.reduce(0) { $0 + $1.fields.count + AnswerSize.perRecord }
      }
    case .failed(let error): error.reason.utf8.count
    }
  }
}

extension ZoneChangesResult {
  fileprivate var size: Int {
    switch self {
    case .changes(let changes): changes.page.size
    case .failed(_, let error): error.reason.utf8.count + AnswerSize.perRecord
    }
  }
}

extension SubscriptionResult {
  fileprivate var size: Int {
    switch self {
    case .subscription(let subscription), .replaced(let subscription):
      (subscription.notificationInfo?.size ?? 0) + AnswerSize.perRecord
    case .deleted(let id): id.utf8.count + AnswerSize.perRecord
    case .failed(_, let error): error.reason.utf8.count + AnswerSize.perRecord
    }
  }
}

extension NotificationInfo {
  fileprivate var size: Int { (alertBody?.utf8.count ?? 0) + alertLocalizationArgs.reduce(0) { $0 + $1.utf8.count } }
}
