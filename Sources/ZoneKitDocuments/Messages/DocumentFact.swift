import ZoneKitRecords

/// A request for documents that was answered, for journals: who asked for what, and what was decided.
package struct DocumentFact: Hashable, Sendable {
  /// The decision about one change.
  package struct Decision: Hashable, Sendable {
    /// The document.
    package var name: DocumentName
    /// The client's name for the change; nil for none.
    package var changeID: String?
    /// `applied`, `same`, the resolution of a conflict, or the word of an error.
    package var verdict: String
    /// The version of the document on the server; nil if there is none.
    package var version: Int64?
  }

  /// The most decisions that a fact names.
  private static let decisionLimit = 20

  /// The ID of the request, which its answer has too.
  package let requestID: String
  /// The sender.
  package let caller: Caller
  /// The call: `push`, `pull`, `full` or `status`.
  package let call: String
  /// The word of the error with which the whole request was refused; nil if it was not.
  package let error: String?
  /// The number of changes, documents or entries in the request or its answer.
  package let count: Int
  /// The decisions about the first changes of a push.
  package let decisions: [Decision]

  /// The fact of a request and its answer.
  package init(
    _ request: DocumentRequest, from caller: Caller, answeredWith response: DocumentResponse, requestID: String
  ) {
    self.requestID = requestID
    self.caller = caller
    call = request.call
    var (error, decisions): (String?, [Decision]) = (nil, [])
    switch response {
    case .pushed(let answer):
      count = answer.results.count
      decisions = answer.results.prefix(Self.decisionLimit).map { Decision($0) }
    case .pulled(let answer): count = answer.entries.count
    case .snapshot(let answer): count = answer.documents.count
    case .found(let answer): count = answer.documents.count
    case .status(let answer): count = answer.feeds.count
    case .refused(let refusal): (error, count) = (refusal.code.rawValue, 0)
    }
    self.error = error
    self.decisions = decisions
  }
}

extension DocumentRequest {
  /// The word of the call with which clients send the request.
  package var call: String {
    switch self {
    case .push: "push"
    case .pull: "pull"
    case .snapshot, .lookup: "full"
    case .status: "status"
    }
  }
}

extension DocumentFact.Decision {
  fileprivate init(_ result: ChangeResult) {
    name = result.name
    changeID = result.changeID
    switch result.outcome {
    case .applied(let isChanged, let version):
      (verdict, self.version) = (isChanged ? "applied" : "same", version.number)
    case .conflict(let resolution, let stored, _): (verdict, version) = (resolution.rawValue, stored?.version)
    case .failed(let error): (verdict, version) = (error.code.rawValue, nil)
    }
  }

  fileprivate var json: JSON {
    JSON(known: [
      "collection": .string(name.collection.text), "documentId": .string(name.id), "verdict": .string(verdict),
      "version": version.map { .integer($0) }, "changeId": changeID.map { .string($0) },
    ])
  }
}

extension Fact {
  /// The fact in the common form of all machines.
  package init(_ fact: DocumentFact) {
    let members = [JSON.Member](known: [
      "requestId": .string(fact.requestID), "user": .string(fact.caller.user.text),
      "device": fact.caller.deviceID.map { .string($0) } ?? .null, "call": .string(fact.call),
      "count": .integer(Int64(fact.count)), "error": fact.error.map { .string($0) },
      "changes": fact.decisions.isEmpty ? nil : .array(fact.decisions.map(\.json)),
    ])
    let outcome = fact.error.map { "refused with \($0)" } ?? "\(fact.count)"
    let decisions = fact.decisions.map { ", \($0.name.recordName): \($0.verdict)" }.joined()
    self.init(
      .documentsServed, members,
      "\(fact.call) of \(fact.caller.user) from \(fact.caller.deviceID ?? "no device"): \(outcome)\(decisions)")
  }
}
