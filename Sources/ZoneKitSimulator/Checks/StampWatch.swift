import ZoneKitRecords
import ZoneKitSync

/// Whether the last stamps of pushes and fetches, which people look at first when a device fell behind, say what happened,
/// and the device knows what the cloud's clock says.
struct StampWatch: Sendable {
  /// When the sync under way began, by the device's clock.
  private var startedAt: WallTime?
  /// Whether a push came that no sync has begun for.
  private var hasPush = false
  /// Whether the sync under way began for a push.
  private var isForPush = false

  /// A push was handed to a device whose disk works, at that time by its clock; returns what is not noted of it.
  /// - Parameter before: How many pushes had come before.
  static func handed(
    _ push: PushNotification, to state: SimulatedDevice, after before: Int64, at wall: WallTime
  ) -> String? {
    first(
      wrongIn: [
        (.pushReceived, .integer(before + 1)),
        (.pushLastReceivedAt, .integer(wall.milliseconds)),
        (.pushLastNotificationID, push.notificationID.map { .text($0) }),
        (.pushLastSentAt, push.sentAt.map { .integer($0.milliseconds) }), (.pushDrought, nil),
      ], of: state)
  }

  /// Takes in what the device tells of itself; returns what its stamps should say and do not.
  /// - Parameter wall: The time by the device's clock.
  mutating func heard(_ fact: DeviceFact, from state: SimulatedDevice, at wall: WallTime) -> (Violation.Rule, String)? {
    switch fact {
    case .pushReceived: hasPush = true
    case .accountChanged, .reset: forgetPush()
    case .syncStarted(let reasons):
      startedAt = wall
      isForPush = hasPush && reasons.contains(.push)
      if isForPush { hasPush = false }
    case .syncFinished(let reasons, let records, let pages) where reasons != [.localChange]:
      let stamps = finished(reasons, records: records, pages: pages, at: wall)
      return Self.first(wrongIn: stamps, of: state).map { (.diagnostics, $0) }
    case .recordSent(let id, _?): return Self.misjudgedClock(by: state, afterSaving: id, at: wall)
    default: break
    }
    return nil
  }

  /// A disk that failed after the write may have kept a new account, whose pushes are others.
  mutating func forgetPush() { (hasPush, isForPush) = (false, false) }

  /// By how much two clocks may be taken to differ otherwise than an answer has just said, in milliseconds.
  private static var clockTolerance: Int64 { 60_000 }

  private static func misjudgedClock(
    by state: SimulatedDevice, afterSaving id: RecordID, at wall: WallTime
  ) -> (Violation.Rule, String)? {
    guard let values = try? state.store.values(), let saved = (try? state.store.record(id))?.server else { return nil }
    let said = saved.modified.at.milliseconds - wall.milliseconds
    let known = values[.clockOffset]?.integer ?? 0
    guard abs(said - known) > clockTolerance else { return nil }
    return (.diagnostics, "the device takes the cloud's clock to be \(known) ms ahead, and an answer said \(said) ms")
  }

  private func finished(
    _ reasons: SyncReasons, records: Int, pages: Int, at wall: WallTime
  ) -> [(DeviceKey, DeviceValue?)] {
    let end = DeviceValue.integer(wall.milliseconds)
    let all: [(DeviceKey, DeviceValue?)] = [
      (.fetchLastStartedAt, startedAt.map { .integer($0.milliseconds) }), (.fetchLastFinishedAt, end),
      (.fetchLastSucceededAt, end), (.fetchLastReason, .text(reasons.text)), (.fetchLastResult, .text("ok")),
      (.fetchRecords, .integer(Int64(records))), (.fetchPages, .integer(Int64(pages))),
    ]
    return isForPush ? all + [(.pushLastHandledAt, end)] : all
  }

  private static func first(
    wrongIn expected: [(DeviceKey, DeviceValue?)], of state: SimulatedDevice
  ) -> String? {
    // A store that cannot be read is the coordinator's trouble, which it tells.
    guard let values = try? state.store.values(), let wrong = expected.first(where: { values[$0.0] != $0.1 }) else {
      return nil
    }
    return "the diagnostics have \(words(values[wrong.0])) as \(wrong.0.rawValue), and it was \(words(wrong.1))"
  }

  private static func words(_ value: DeviceValue?) -> String {
    switch value {
    case .text(let text)?: text
    case .integer(let number)?: String(number)
    case nil: "nothing"
    }
  }
}
