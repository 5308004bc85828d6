import ZoneKitCloud
import ZoneKitDocuments
import ZoneKitRecords

/// A request for documents that faults hit: what reaches the documents, and what the client gets as the answer. The faults
/// are those of the request to the cloud that does the same.
///
/// A driver carries `request` out `applications` times, reads feeds with `visibleDelayMilliseconds`, converts the last
/// response with `answer`, and sends the result `delayMilliseconds` later.
package struct FaultyDocumentExchange: Hashable, Sendable {
  private let asked: DocumentRequest
  private let exchange: FaultyExchange
  private let app: DocumentApp

  /// A request that those faults hit.
  package init(_ asked: DocumentRequest, _ exchange: FaultyExchange, of app: DocumentApp) {
    self.asked = asked
    self.exchange = exchange
    self.app = app
  }

  /// The delay of the answer.
  package var delayMilliseconds: Int64 { exchange.delayMilliseconds }

  /// The age of commits from which feeds show them.
  package var visibleDelayMilliseconds: Int64 { exchange.visibleDelayMilliseconds ?? 0 }

  /// How often the request is carried out: 0, 1 or 2.
  package var applications: Int { refusal == nil ? exchange.applications : 0 }

  /// The request that reaches the documents; nil for none.
  package var request: DocumentRequest? {
    guard applications > 0 else { return nil }
    guard case .push(var push) = asked else { return asked }
    let kept = push.changes.indices.filter { exchange.refusal(ofItemAt: $0) == nil }
    guard kept.count < push.changes.count else { return asked }
    // Without changes it would be another request.
    guard !kept.isEmpty else { return nil }
    push.changes = kept.map { push.changes[$0] }
    return .push(push)
  }

  /// The error of the whole request; nil for none. Only changes of a push are refused one by one.
  private var refusal: CloudError? {
    if let refusal = exchange.refusal { return refusal }
    if case .push(let push) = asked, !push.changes.isEmpty { return nil }
    return (0..<itemCount).lazy.compactMap { exchange.refusal(ofItemAt: $0) }.first
  }

  private var itemCount: Int {
    switch asked {
    case .push(let push): push.changes.isEmpty ? DocumentFeed.allCases.count : push.changes.count
    case .pull, .snapshot: 1
    case .lookup(let lookup): lookup.names.count
    case .status: 0
    }
  }

  /// The answer to the client, given the last response (nil if there was none). Nil if no answer is sent.
  package func answer(to response: DocumentResponse?, at now: WallTime) -> DocumentResponse? {
    if exchange.losesAnswer { return nil }
    if let refusal { return .refused(DocumentError(refusal)) }
    guard case .push(let push) = asked, !push.changes.isEmpty else {
      return response.map { response in exchange.distortions.reduce(response) { distorted($0, by: $1) } }
    }
    switch response {
    case .pushed(let answer)?: return .pushed(PushAnswer(completed(answer.results, push), at: answer.at))
    case nil: return .pushed(PushAnswer(completed([], push), at: now))
    case .pulled, .snapshot, .found, .status, .refused: return response
    }
  }

  /// The results in the order of the original changes.
  private func completed(_ results: [ChangeResult], _ push: DocumentPush) -> [ChangeResult] {
    var rest = results[...]
    return push.changes.indices.compactMap { index in
      guard let error = exchange.refusal(ofItemAt: index) else { return rest.popFirst() }
      return ChangeResult(of: push.changes[index], .failed(ChangeError(error)))
    }
  }

  // MARK: Distorted feeds

  private func distorted(_ response: DocumentResponse, by fault: FaultyExchange.Distortion) -> DocumentResponse {
    switch response {
    case .pulled(let answer): .pulled(distorted(answer, by: fault))
    case .snapshot(let answer): .snapshot(distorted(answer, by: fault))
    case .status(let answer): .status(distorted(answer, by: fault))
    case .pushed, .found, .refused: response
    }
  }

  private func distorted(_ answer: PullAnswer, by fault: FaultyExchange.Distortion) -> PullAnswer {
    var answer = answer
    if case .stuckToken = fault.action, case .pull(let pull) = asked {
      (answer.cursor, answer.hasMore) = (pull.cursor, true)
    }
    answer.entries = answer.entries.flatMap { entry in
      let name =
        switch entry {
        case .document(let document): document.name
        case .tombstone(let name, _): name
        }
      return Array(repeating: entry, count: fault.count(of: name))
    }
    return answer
  }

  private func distorted(_ answer: SnapshotAnswer, by fault: FaultyExchange.Distortion) -> SnapshotAnswer {
    var answer = answer
    if case .stuckToken = fault.action, case .snapshot(let snapshot) = asked {
      (answer.next, answer.cursor) = (snapshot.page, nil)
    }
    answer.documents = answer.documents.flatMap { Array(repeating: $0, count: fault.count(of: $0.name)) }
    return answer
  }

  private func distorted(_ answer: StatusAnswer, by fault: FaultyExchange.Distortion) -> StatusAnswer {
    var answer = answer
    if case .stuckToken = fault.action, case .status(let position) = asked {
      (answer.position, answer.hasMore) = (position ?? DocumentPosition(), true)
    }
    if case .listZone(let zone) = fault.action,
      let feed = DocumentFeed.allCases.first(where: { app.zone(of: $0) == zone }),
      !answer.feeds.contains(where: { $0.feed == feed })
    {
      answer.feeds.append(StatusAnswer.Feed(feed, .changed))
    }
    return answer
  }
}

extension FaultyExchange.Distortion {
  /// How often a document occurs in a page of a feed.
  fileprivate func count(of name: DocumentName) -> Int {
    switch action {
    case .omitRecords: scope.includes(record: name.recordName) ? 0 : 1
    case .doubleRecords: scope.includes(record: name.recordName) ? 2 : 1
    case .refuse, .refuseItems, .loseRequest, .loseAnswer, .delayAnswer, .repeatRequest, .staleFeed, .stuckToken,
      .listZone, .forgetSubscriptions, .muteSubscriptions, .table, .push:
      1
    }
  }
}

extension ChangeError {
  /// The error for one of the cloud.
  fileprivate init(_ error: CloudError) {
    let code: Code =
      switch error.code {
      case .invalidArguments: .badDocument
      case .permissionFailure: .forbiddenID
      case .limitExceeded: .tooLarge
      case .zoneNotFound: .datasetChanged
      case .quotaExceeded: .quotaExceeded
      case .zoneBusy: .busy
      default: .internal
      }
    self.init(code, error.reason)
    cause = error.code
  }
}
