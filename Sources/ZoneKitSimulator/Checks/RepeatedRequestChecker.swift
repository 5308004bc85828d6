import ZoneKitRecords
import ZoneKitSync

/// A sync does not ask the same question again after it was answered, unless it sent something in between.
package struct RepeatedRequestChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer, .storeFailed, .resetting],
    facts: [.syncStarted, .storeFailed, .accountChanged, .tokenExpired])

  /// The most equal questions.
  private static var limit: Int { 2 }

  private var asked: (id: RequestID, request: CloudRequest)?
  /// How often the sync asked each question that was answered without an error.
  private var answered: [CloudRequest: Int] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .request(let id, let request, _):
      asked = (id, request)
      // What is sent may change every answer.
      if case .modifyRecords = request { answered = [:] }
      guard request.isQuestion, let count = answered[request], count >= Self.limit else { return nil }
      return Finding(.storm, "\(request.words) for the \(count + 1)th time in a sync, and was answered before")
    case .answer(let id, .success(let response)):
      guard let asked, asked.id == id else { return nil }
      self.asked = nil
      // What was refused is asked for in another way, and the zones of the account are listed anew.
      if response.hasErrors { answered = [:] } else { answered[asked.request, default: 0] += 1 }
    case .answer: asked = nil
    default: (asked, answered) = (nil, [:])
    }
    return nil
  }
}

extension CloudRequest {
  /// Whether the request only reads.
  fileprivate var isQuestion: Bool {
    switch self {
    case .listZones, .lookupZones, .lookupRecords, .queryRecords, .createUploads, .rereferenceAssets,
      .fetchDatabaseChanges, .fetchZoneChanges,
      .listSubscriptions,
      .lookupSubscriptions, .fetchUsers, .resolveShares:
      true
    case .modifyZones, .modifyRecords, .modifySubscriptions, .createPushToken, .registerPushToken, .acceptShares:
      false
    }
  }
}

extension CloudResponse {
  /// Whether any item was refused.
  fileprivate var hasErrors: Bool { !Result<CloudResponse, CloudError>.success(self).refusals.isEmpty }
}
