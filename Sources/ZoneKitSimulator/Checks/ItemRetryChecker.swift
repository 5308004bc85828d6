import ZoneKitRecords
import ZoneKitSync

/// A zone of which an item was refused with a retry time is not read, or not written to, before that time.
package struct ItemRetryChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .request, .answer, .storeFailed, .resetting, .clockSet, .diskReplaced],
    facts: [.storeFailed, .reset, .accountChanged, .linkChanged])

  /// What is not done with a zone.
  private struct Use: Hashable {
    var zone: ZoneID
    var isSending: Bool
  }

  private var asked: (id: RequestID, request: CloudRequest)?
  private var floors: [Use: MonotonicTime] = [:]

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .request(let id, let request, _):
      asked = (id, request)
      return sent(request, at: entry.now)
    case .answer(let id, .success(let response)):
      guard let asked, asked.id == id else { return nil }
      note(response, to: asked.request, at: entry.now)
    case .answer: break
    default: (asked, floors) = (nil, [:])
    }
    return nil
  }

  private mutating func sent(_ request: CloudRequest, at now: MonotonicTime) -> Finding? {
    floors = floors.filter { $0.value > now }
    guard let use = Self.uses(request).first(where: { floors[$0] != nil }), let floor = floors[use] else { return nil }
    return Finding(
      .retry,
      "\(request.words) of \(use.zone.words) \(floor.milliseconds - now.milliseconds) ms before the retry time of an item"
    )
  }

  private static func uses(_ request: CloudRequest) -> [Use] {
    switch request {
    case .modifyRecords(let batch): [Use(zone: batch.zoneID, isSending: true)]
    case .fetchZoneChanges(let queries): queries.map { Use(zone: $0.zoneID, isSending: false) }
    default: []
    }
  }

  private mutating func note(_ response: CloudResponse, to request: CloudRequest, at now: MonotonicTime) {
    switch (response, request) {
    case (.records(let results), .modifyRecords(let batch)):
      let waits = results.compactMap(\.error).filter(\.code.isTemporary).compactMap(\.retryAfterMilliseconds)
      guard let wait = waits.max() else { return }
      floors[Use(zone: batch.zoneID, isSending: true)] = now.advanced(byMilliseconds: wait)
    case (.zoneChanges(let results), .fetchZoneChanges(let queries)):
      for (result, query) in zip(results, queries) {
        guard case .failed(_, let error) = result, error.code.isTemporary, let wait = error.retryAfterMilliseconds
        else {
          continue
        }
        floors[Use(zone: query.zoneID, isSending: false)] = now.advanced(byMilliseconds: wait)
      }
    default: break
    }
  }
}

extension CloudErrorCode {
  /// Whether the error ends by itself.
  fileprivate var isTemporary: Bool {
    switch self {
    case .zoneBusy, .serviceUnavailable, .requestRateLimited, .internalError: true
    default: false
    }
  }
}
