import ZoneKitRecords

/// A step that acts on the cloud: faults of requests and feeds, and an administrator's operations.
package indirect enum CloudStep: Hashable, Sendable {
  /// `the cloud answers the next 3 saves of A with serviceUnavailable retry after 30s`.
  case answer(FaultCount, CloudOperation, of: String?, CloudErrorCode, retryAfter: TimeSpan?)
  /// `the cloud loses the answer to the next 2 saves of A`, after it carried out the request.
  case loseAnswer(FaultCount, CloudOperation, of: String?)
  /// `the cloud loses the next save of A` before it carries out anything.
  case loseRequest(FaultCount, CloudOperation, of: String?)
  /// `the cloud delays the answer to the next fetch of A by 5s`.
  case delayAnswer(FaultCount, CloudOperation, of: String?, TimeSpan)
  /// `the cloud does the next save of A twice`.
  case repeatRequest(FaultCount, CloudOperation, of: String?)
  /// `the cloud refuses each item of the next 2 zone fetches in zone Items with zoneBusy`: the request is answered, and
  /// those items have failed. With `each item named "x"` only the record or zone of that name fails.
  case refuseItems(
    FaultCount, CloudOperation, of: String?, named: String?, zone: String?, CloudErrorCode, retryAfter: TimeSpan?)
  /// One of the sentences above with `after 2 others in 50% of cases`: how many requests pass first, and the percentage
  /// of the following ones that the fault hits.
  case partly(CloudStep, after: Int, percent: Int)
  /// `the cloud refuses A's last action with invalidArguments`: each save of the record fails, as a part of its batch.
  case refuse(RecordReference, CloudErrorCode)
  /// `the cloud accepts A's last action again`.
  case accept(RecordReference)
  /// `the cloud refuses more than 10 records at once`: such a request fails with `limitExceeded`.
  case refuseAbove(Int)
  /// `the cloud is full`: saves fail with `quotaExceeded`.
  case full
  /// `the cloud has room again`.
  case hasRoom
  /// `the cloud shows commits 3s late` in its feeds.
  case showLate(TimeSpan)
  /// `the cloud shows commits 3s late to the next 2 fetches of A`.
  case staleFeed(FaultCount, CloudOperation, of: String?, TimeSpan)
  /// `the cloud repeats the token of the next 3 fetches of A`: it answers with the token of the request and reports
  /// more changes.
  case stuckToken(FaultCount, CloudOperation, of: String?)
  /// `the cloud leaves out A's last action in the next fetch of B`.
  case omit(RecordReference, FaultCount, of: String?)
  /// `the cloud lists each record twice in the next fetch of B`.
  case doubleRecords(FaultCount, CloudOperation, of: String?)
  /// `the cloud lists zone "x" as changed`: a zone that does not exist; in `the next 2 times` or always.
  case listZone(String, FaultCount)
  /// `expire the tokens of A`; of all devices if nil. The cloud refuses the change tokens that it has returned so far.
  case expireTokens(TokenKind, of: String?)
  /// `expire all database tokens of A`'s account.
  case expireDatabaseTokens(of: Holder)
  /// `the cloud loses the subscription of A`'s account, without notice.
  case loseSubscription(of: Holder)
  /// `the cloud mutes the subscription of A`'s account: it exists and makes no pushes.
  case muteSubscription(of: Holder)
  /// `the cloud doubles the subscription of A`'s account: a second one of the same content gets another ID.
  case doubleSubscription(of: String)
  /// `the cloud's disk is full`: it accepts no commit; or `the cloud's disk has room`.
  case fullDisk(Bool)
  /// `the cloud behaves again`: all faults of the cloud end.
  case behave

  /// The line from which the parser makes this step.
  package var text: String {
    switch self {
    case .answer(let count, let operation, let device, let code, let retry):
      "the cloud answers \(operation.text(count, of: device)) with \(code.rawValue)"
        + (retry.map { " retry after \($0.text)" } ?? "")
    case .loseAnswer(let count, let operation, let device):
      "the cloud loses the answer to \(operation.text(count, of: device))"
    case .loseRequest(let count, let operation, let device): "the cloud loses \(operation.text(count, of: device))"
    case .delayAnswer(let count, let operation, let device, let span):
      "the cloud delays the answer to \(operation.text(count, of: device)) by \(span.text)"
    case .repeatRequest(let count, let operation, let device):
      "the cloud does \(operation.text(count, of: device)) twice"
    case .refuseItems(let count, let operation, let device, let name, let zone, let code, let retry):
      "the cloud refuses each item" + (name.map { " named \(ScenarioWord.named($0))" } ?? "")
        + " of \(operation.text(count, of: device))"
        + (zone.map { " in zone \(ScenarioWord.named($0))" } ?? "") + " with \(code.rawValue)"
        + (retry.map { " retry after \($0.text)" } ?? "")
    case .partly(let step, let after, let percent):
      step.text + (after == 0 ? "" : " after \(after) other\(after == 1 ? "" : "s")")
        + (percent == 100 ? "" : " in \(percent)% of cases")
    case .refuse(let record, let code): "the cloud refuses \(record.text) with \(code.rawValue)"
    case .accept(let record): "the cloud accepts \(record.text) again"
    case .refuseAbove(let count): "the cloud refuses more than \(count) records at once"
    case .full: "the cloud is full"
    case .hasRoom: "the cloud has room again"
    case .showLate(let span): "the cloud shows commits \(span.text) late"
    case .staleFeed(let count, let operation, let device, let span):
      "the cloud shows commits \(span.text) late to \(operation.text(count, of: device))"
    case .stuckToken(let count, let operation, let device):
      "the cloud repeats the token of \(operation.text(count, of: device))"
    case .omit(let record, let count, let device):
      "the cloud leaves out \(record.text) in \(CloudOperation.fetch.text(count, of: device))"
    case .doubleRecords(let count, let operation, let device):
      "the cloud lists each record twice in \(operation.text(count, of: device))"
    case .listZone(let name, let count):
      "the cloud lists zone \(ScenarioWord.named(name)) as changed"
        + (count == .every ? "" : " \(count.text("time", "times"))")
    case .expireTokens(let kind, let device): "expire the \(kind.rawValue)" + (device.map { " of \($0)" } ?? "")
    case .expireDatabaseTokens(let holder): "expire all database tokens of \(holder.text)"
    case .loseSubscription(let holder): "the cloud loses the subscription of \(holder.text)"
    case .muteSubscription(let holder): "the cloud mutes the subscription of \(holder.text)"
    case .doubleSubscription(let device): "the cloud doubles the subscription of \(device)"
    case .fullDisk(let isFull): "the cloud's disk \(isFull ? "is full" : "has room")"
    case .behave: "the cloud behaves again"
    }
  }
}

/// The change tokens that expire.
package enum TokenKind: String, CaseIterable, Hashable, Sendable {
  case all = "tokens"
  case database = "database token"
  case zone = "zone token"
}
