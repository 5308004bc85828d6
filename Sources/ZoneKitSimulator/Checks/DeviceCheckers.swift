import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// All checkers of one device, and the history of its log.
struct DeviceCheckers: Sendable {
  private var history = DeviceHistory()
  private var view: ViewChecker
  private var quarantine = QuarantineChecker()
  private var others: [any DeviceChecker]

  /// The checkers of a device with that app and that limit of requests within a minute.
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

  /// Takes in the next entry of the log. Returns the violations.
  mutating func take(_ entry: LogEntry) -> [Finding] {
    history.take(entry)
    var findings = [view.take(entry, history), quarantine.take(entry, history)].compactMap { $0 }
    for index in others.indices {
      if let finding = others[index].take(entry, history) { findings.append(finding) }
    }
    return findings
  }

  /// The difference between what the user sees and what the device holds, as a sentence; nil for none.
  func viewDifference(from device: DeviceSnapshot) -> String? { view.difference(from: device) }

  /// Whether the cloud last refused that record because of a record to which it refers.
  func isRefusedForTarget(_ id: RecordID) -> Bool { quarantine.refusedForTarget.contains(id) }
}
