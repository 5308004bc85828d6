import Records

/// What the cloud does wrong, or is told to do.
package enum CloudStep: Hashable, Sendable {
  /// `the cloud answers the next 3 saves of A with serviceUnavailable retry after 30s`.
  case answer(FaultCount, CloudOperation, of: String?, CloudErrorCode, retryAfter: TimeSpan?)
  /// `the cloud loses the answer to the next 2 saves of A`, after it did what was asked.
  case loseAnswer(FaultCount, CloudOperation, of: String?)
  /// `the cloud loses the next save of A` before it does anything.
  case loseRequest(FaultCount, CloudOperation, of: String?)
  /// `the cloud delays the answer to the next fetch of A by 5s`.
  case delayAnswer(FaultCount, CloudOperation, of: String?, TimeSpan)
  /// `the cloud does the next save of A twice`.
  case repeatRequest(FaultCount, CloudOperation, of: String?)
  /// `the cloud refuses A's last action with invalidArguments`; every time, as a part of a batch.
  case refuse(RecordReference, CloudErrorCode)
  /// `the cloud accepts A's last action again`.
  case accept(RecordReference)
  /// `the cloud refuses more than 10 records at once`, with `limitExceeded`.
  case refuseAbove(Int)
  /// `the cloud is full`: saves meet `quotaExceeded`.
  case full
  /// `the cloud has room again`.
  case hasRoom
  /// `the cloud shows commits 3s late` in its feeds.
  case showLate(TimeSpan)
  /// `the cloud repeats the token of the next 3 fetches of A`, and promises more each time.
  case stuckToken(FaultCount, of: String?)
  /// `the cloud leaves out A's last action in the next fetch of B`.
  case omit(RecordReference, FaultCount, of: String?)
  /// `the cloud lists each record twice in the next fetch of B`.
  case doubleRecords(FaultCount, of: String?)
  /// `the cloud lists zone "x" as changed` though there is none.
  case listZone(String)
  /// `expire the tokens of A`; of everybody where nil: tokens handed out so far are refused.
  case expireTokens(TokenKind, of: String?)
  /// `the cloud loses the subscription of A`'s account, without a word.
  case loseSubscription(of: String)
  /// `the cloud mutes the subscription of A`'s account: it is there and makes no pushes.
  case muteSubscription(of: String)
  /// `the cloud doubles the subscription of A`'s account: another of the same content, under another ID.
  case doubleSubscription(of: String)
  /// `the cloud behaves again`: all faults of the cloud end.
  case behave

  /// The line that reads as this.
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
    case .refuse(let record, let code): "the cloud refuses \(record.text) with \(code.rawValue)"
    case .accept(let record): "the cloud accepts \(record.text) again"
    case .refuseAbove(let count): "the cloud refuses more than \(count) records at once"
    case .full: "the cloud is full"
    case .hasRoom: "the cloud has room again"
    case .showLate(let span): "the cloud shows commits \(span.text) late"
    case .stuckToken(let count, let device):
      "the cloud repeats the token of \(CloudOperation.fetch.text(count, of: device))"
    case .omit(let record, let count, let device):
      "the cloud leaves out \(record.text) in \(CloudOperation.fetch.text(count, of: device))"
    case .doubleRecords(let count, let device):
      "the cloud lists each record twice in \(CloudOperation.fetch.text(count, of: device))"
    case .listZone(let name): "the cloud lists zone \(ScenarioWord.named(name)) as changed"
    case .expireTokens(let kind, let device): "expire the \(kind.rawValue)" + (device.map { " of \($0)" } ?? "")
    case .loseSubscription(let device): "the cloud loses the subscription of \(device)"
    case .muteSubscription(let device): "the cloud mutes the subscription of \(device)"
    case .doubleSubscription(let device): "the cloud doubles the subscription of \(device)"
    case .behave: "the cloud behaves again"
    }
  }
}

/// Which tokens expire.
package enum TokenKind: String, CaseIterable, Hashable, Sendable {
  case all = "tokens"
  case database = "database token"
  case zone = "zone token"
}
