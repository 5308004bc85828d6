import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// All checkers of one device, and the history of its log.
struct DeviceCheckers: Sendable {
  private var history = DeviceHistory()
  private var view: ViewChecker
  private var quarantine = QuarantineChecker()
  /// The photos that users gave to rows.
  private(set) var photos = PhotoChecker()
  private var others: [any DeviceChecker]
  /// The kinds of events that each of the others reads.
  private let readsOfOthers: [LogEventKinds]
  /// The kinds of events that anything here reads.
  let reads: LogEventKinds

  /// The checkers of a device with that app and that limit of requests within a minute.
  init(of app: DeviceApp, requestLimit: Int) {
    let configuration = app.configuration
    view = ViewChecker(zones: app.zones)
    others = [
      RequestRateChecker(limit: requestLimit),
      FeedReasonChecker(fetchesWithEdits: configuration.pacing.localChangesFetch),
      RetryTimeChecker(), BackoffChecker(configuration),
      PushDuplicateChecker(), TokenOrderChecker(), HiddenRecordChecker(), FeedReadChecker(configuration),
      SettlingChecker(configuration), SubscriptionRetryChecker(configuration), SyncContentChecker(configuration),
      SyncSpacingChecker(configuration), FullCloudChecker(), UnsentRecordChecker(configuration),
      ConflictLookupChecker(),
      DiagnosticsChecker(), ClockOffsetChecker(configuration), ListedZoneChecker(), KeptTokenChecker(),
      ZoneRemovalChecker(configuration), StampChecker(configuration), KeptEditChecker(configuration),
      DerivedRecordChecker(configuration), PushPaceChecker(configuration), KnownVersionChecker(),
      LeftRecordChecker(configuration), WrittenLaterChecker(), BeatenVersionChecker(configuration),
      IdleLookChecker(configuration), RepeatedRequestChecker(), ItemRetryChecker(), RefreshChecker(),
      ChannelChecker(), OfflineRequestChecker(), RefusedSaveChecker(), ReadAheadChecker(),
    ]
    readsOfOthers = others.map { type(of: $0).reads }
    reads = readsOfOthers.reduce(
      [DeviceHistory.reads, ViewChecker.reads, QuarantineChecker.reads, PhotoChecker.reads]
    ) { $0.union($1) }
  }

  /// The next entry of the log was read, of that kind. Returns the violations.
  mutating func take(_ entry: LogEntry, _ kind: LogEventKinds) -> [Finding] {
    history.take(entry)
    var findings: [Finding] = []
    if ViewChecker.reads.contains(kind), let finding = view.take(entry, history) { findings.append(finding) }
    if QuarantineChecker.reads.contains(kind), let finding = quarantine.take(entry, history) {
      findings.append(finding)
    }
    if PhotoChecker.reads.contains(kind) { photos.take(entry) }
    for (index, reads) in readsOfOthers.enumerated() where reads.contains(kind) {
      if let finding = others[index].take(entry, history) { findings.append(finding) }
    }
    return findings
  }

  /// The difference between what the user sees and what the device holds, as a sentence; nil for none.
  func viewDifference(from device: DeviceSnapshot) -> String? { view.difference(from: device) }

  /// Whether the cloud last refused that record because of a record to which it refers.
  func isRefusedForTarget(_ id: RecordID) -> Bool { quarantine.refusedForTarget.contains(id) }
}
