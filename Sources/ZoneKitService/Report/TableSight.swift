import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// What is known of a device over the tables of a server besides its diagnostics, whether it runs or not.
struct TableSight {
  /// The app's tables.
  let app: TableApp
  /// The session in the store; nil if there is none.
  var session: StoredSession?
  /// Whether the session goes on.
  var hasSession = false
  /// Whether the device's process runs.
  var isRunning = true
  /// Whether a sync runs.
  var isSyncing = false
  /// Whether the device has a link.
  var isOnline = false
  /// Since when the device has been in its state; nil if nobody watched.
  var since: WallTime?
  /// The upload of local rows; nil if the app has none.
  var migration: Migration?
  /// The number of rows that the app cannot read.
  var refused = 0
  /// Whether the channel is joined.
  var isConnected = false
  /// Since when the channel is joined, or not any more; nil if it never was.
  var channelSince: WallTime?
  /// Why the channel is not joined, in words; nil if unknown.
  var channelReason: String?
  /// The channel's name; nil without an account.
  var channel: String?
  /// The state of the channel in one word.
  var channelState = "off"
  /// What the channel has done.
  var counters = ChannelCounters()
  /// The photos, as JSON.
  var photos = JSON.null
  /// When rows of each table were last moved.
  var times = TableTimes()

  /// A device of that app about which nothing is known yet.
  init(app: TableApp) { self.app = app }

  /// A stopped device with that store; nil if the cloud of its app is another one.
  init?(
    of store: DeviceFile, in folder: String, app device: DeviceApp, account: Name?, at now: WallTime
  ) throws(StoreError) {
    guard case .tables(let app) = device.cloud else { return nil }
    self.init(app: app)
    let values = try store.appValues()
    session = values[StoredSession.key]?.text.flatMap { StoredSession($0) }
    hasSession = session?.refresh != nil
    isRunning = false
    channelReason = "the device is not running"
    channel = account.flatMap { UUID($0.text) }.map { ChannelClient.name(of: $0) }
    if let plan = device.migration {
      migration = Migration(MigrationRecord(values[MigrationRecord.key]), steps: plan.steps)
    }
    let view = AppView(store: store, account: account, wall: now)
    refused = try device.unreadableRows?(view) ?? 0
    photos = try PhotoReport.stopped(store, in: folder, of: app, account: account.flatMap { UUID($0.text) })
    times = TableTimes(values[TableTimes.key]?.text)
  }

  /// What the state of the device is computed from, with the result of the last fetch.
  func facts(lastResult: String?) -> SyncStatus.Facts {
    var facts = SyncStatus.Facts()
    if let migration, migration.isRunning {
      facts.migrationStep = "\(migration.currentStep) \(Int(migration.progress * 100))%"
    }
    facts.isSyncing = isSyncing
    facts.hasAccount = channel != nil
    facts.hasSession = hasSession
    facts.signedOutReason = session?.reason
    facts.error = lastResult.flatMap { $0 == "ok" ? nil : $0 }
    facts.isOnline = isOnline
    return facts
  }
}
