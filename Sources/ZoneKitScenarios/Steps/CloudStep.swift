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
  /// `the cloud forgets the next subscription save of A`: it answers as if it had stored the subscription.
  case forgetSubscriptions(FaultCount, of: String?)
  /// `the cloud mutes the next subscription save of A`: it stores the subscription, which makes no pushes.
  case muteSubscriptions(FaultCount, of: String?)
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
  /// `the cloud's disk is full`: it accepts no commit; or `the cloud's disk has room`. The disk of the accounts is the same one
  /// for `all`, and the only one for `accounts`.
  case fullDisk(CloudDisk, Bool)
  /// `the cloud's disk cannot be read`: every reading fails; or `the cloud's disk can be read again`.
  case unreadableDisk(Bool)
  /// `the cloud behaves again`: all faults of the cloud end.
  case behave

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .answer(let count, let operation, let device, let code, let retry):
      SlotValues(count, operation, of: device) + ["error": .error(code), "span": .span(retry)]
    case .loseAnswer(let count, let operation, let device), .loseRequest(let count, let operation, let device),
      .repeatRequest(let count, let operation, let device), .stuckToken(let count, let operation, let device),
      .doubleRecords(let count, let operation, let device):
      SlotValues(count, operation, of: device)
    case .delayAnswer(let count, let operation, let device, let span),
      .staleFeed(let count, let operation, let device, let span):
      SlotValues(count, operation, of: device) + ["span": .span(span)]
    case .refuseItems(let count, let operation, let device, let name, let zone, let code, let retry):
      SlotValues(count, operation, of: device)
        + ["item": .name(name), "zone": .name(zone), "error": .error(code), "span": .span(retry)]
    case .partly(let step, let after, let percent):
      step.values + ["after": after == 0 ? nil : .number(after), "percent": percent == 100 ? nil : .number(percent)]
    case .refuse(let record, let code): ["record": .record(record), "error": .error(code)]
    case .accept(let record): ["record": .record(record)]
    case .refuseAbove(let count): ["number": .number(count)]
    case .showLate(let span): ["span": .span(span)]
    case .omit(let record, let count, let device): ["record": .record(record)] + SlotValues(count, of: device)
    case .forgetSubscriptions(let count, let device), .muteSubscriptions(let count, let device):
      SlotValues(count, of: device)
    case .listZone(let name, let count): ["name": .name(name)] + SlotValues(count)
    case .expireTokens(_, let device): ["device": .name(device)]
    case .expireDatabaseTokens(let holder), .loseSubscription(let holder), .muteSubscription(let holder):
      ["holder": .holder(holder)]
    case .doubleSubscription(let device): ["device": .name(device)]
    case .full, .hasRoom, .fullDisk, .unreadableDisk, .behave: [:]
    }
  }
}

/// The files of the cloud that a step is about.
package enum CloudDisk: String, CaseIterable, Hashable, Sendable {
  /// All files.
  case all = "the cloud's disk"
  /// The file of the accounts of an app with tables.
  case accounts = "the disk of the cloud's accounts"
}

/// The change tokens that expire.
package enum TokenKind: String, CaseIterable, Hashable, Sendable {
  case all = "tokens"
  case database = "database token"
  case zone = "zone token"
}
