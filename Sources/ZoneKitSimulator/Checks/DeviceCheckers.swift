import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// All checkers of one device, and what its log says so far.
struct DeviceCheckers: Sendable {
  private var history = DeviceHistory()
  private var view: ViewChecker
  private var quarantine = QuarantineChecker()
  private var others: [any DeviceChecker]

  /// The checkers of a device that runs that app; `requestLimit` requests within a minute are too many.
  init(of app: DeviceApp, requestLimit: Int) {
    let configuration = app.configuration
    view = ViewChecker(zones: app.zones)
    others = [
      RequestRateChecker(limit: requestLimit), FeedReasonChecker(), RetryTimeChecker(), BackoffChecker(configuration),
      PushDuplicateChecker(), TokenOrderChecker(), HiddenRecordChecker(), FeedReadChecker(configuration),
      SettlingChecker(configuration), SubscriptionRetryChecker(configuration), SyncContentChecker(configuration),
      SyncSpacingChecker(configuration), FullCloudChecker(), UnsentRecordChecker(), ConflictLookupChecker(),
      DiagnosticsChecker(), ClockOffsetChecker(), ListedZoneChecker(), KeptTokenChecker(),
      ZoneRemovalChecker(configuration), StampChecker(configuration), KeptEditChecker(configuration),
    ]
  }

  /// Takes in what happened next. Returns what breaks invariants.
  mutating func take(_ entry: LogEntry) -> [Finding] {
    history.take(entry)
    var findings = [view.take(entry, history), quarantine.take(entry, history)].compactMap { $0 }
    for index in others.indices {
      if let finding = others[index].take(entry, history) { findings.append(finding) }
    }
    return findings
  }

  /// What the user sees otherwise than the device holds it, in a sentence; nil where there is nothing.
  func viewDifference(from device: DeviceSnapshot) -> String? { view.difference(from: device) }

  /// Whether the cloud refused that record last because of what it refers to.
  func isRefusedForTarget(_ id: RecordID) -> Bool { quarantine.refusedForTarget.contains(id) }
}
