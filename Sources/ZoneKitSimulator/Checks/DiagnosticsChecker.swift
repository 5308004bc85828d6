import ZoneKitPush
import ZoneKitRecords
import ZoneKitSync

/// The diagnostics have the correct times of the last pushes and fetches, from which the causes of a delay are found.
package struct DiagnosticsChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(
    events: [.processStarting, .storeFailed, .pushHanded],
    facts: [.storeFailed, .accountChanged, .reset, .pushReceived, .syncStarted, .syncFinished])

  /// When the running sync began, by the device's clock.
  private var startedAt: WallTime?
  /// Whether a push was received for which no sync has begun.
  private var hasPush = false
  /// Whether the running sync began because of a push.
  private var isForPush = false

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .processStarting: self = DiagnosticsChecker()
    // A disk that fails after the write may have kept a new account, which has different pushes.
    case .storeFailed, .fact(.storeFailed), .fact(.accountChanged), .fact(.reset): (hasPush, isForPush) = (false, false)
    case .pushHanded(let push, _, let count):
      return Self.finding(wrongIn: stamps(of: push, count: count + 1, at: entry.at.wall), entry.device)
    case .fact(.pushReceived): hasPush = true
    case .fact(.syncStarted(let reasons)):
      startedAt = entry.at.wall
      isForPush = hasPush && reasons.contains(.push)
      if isForPush { hasPush = false }
    case .fact(.syncFinished(let reasons, let records, let pages)):
      guard !reasons.areOfEdits else { return nil }
      let stamps = stamps(ofSyncFor: reasons, records: records, pages: pages, at: entry.at.wall)
      return Self.finding(wrongIn: stamps, entry.device)
    default: break
    }
    return nil
  }

  private func stamps(of push: PushNotification, count: Int64, at wall: WallTime) -> [(DeviceKey, DeviceValue?)] {
    [
      (.pushReceived, .integer(count)), (.pushLastReceivedAt, .integer(wall.milliseconds)),
      (.pushLastNotificationID, push.notificationID.map { .text($0) }),
      (.pushLastSentAt, push.sentAt.map { .integer($0.milliseconds) }), (.pushDrought, nil),
    ]
  }

  private func stamps(
    ofSyncFor reasons: SyncReasons, records: Int, pages: Int, at wall: WallTime
  ) -> [(DeviceKey, DeviceValue?)] {
    let end = DeviceValue.integer(wall.milliseconds)
    let all: [(DeviceKey, DeviceValue?)] = [
      (.fetchLastStartedAt, startedAt.map { .integer($0.milliseconds) }), (.fetchLastFinishedAt, end),
      (.fetchLastSucceededAt, end), (.fetchLastReason, .text(reasons.text)), (.fetchLastResult, .text("ok")),
      (.fetchRecords, .integer(Int64(records))), (.fetchPages, .integer(Int64(pages))),
    ]
    return isForPush ? all + [(.pushLastHandledAt, end)] : all
  }

  private static func finding(wrongIn expected: [(DeviceKey, DeviceValue?)], _ device: DeviceSnapshot) -> Finding? {
    // The coordinator reports a store that cannot be read.
    guard let values = try? device.store.values(), let wrong = expected.first(where: { values[$0.0] != $0.1 }) else {
      return nil
    }
    return Finding(
      .diagnostics,
      "the diagnostics have \(words(values[wrong.0])) as \(wrong.0.rawValue), and it was \(words(wrong.1))")
  }

  private static func words(_ value: DeviceValue?) -> String {
    switch value {
    case .text(let text)?: text
    case .integer(let number)?: String(number)
    case nil: "nothing"
    }
  }
}
