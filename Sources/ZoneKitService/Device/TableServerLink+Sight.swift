import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// What the link tells about the device's state.
extension TableServerLink {
  /// What decides the state of a device. The error of the last sync changes only with the end of a sync.
  struct StateMarks: Equatable {
    var isSyncing: Bool
    var isOnline: Bool
    var hasSession: Bool
    var hasAccount: Bool
    var isMigrating: Bool
  }

  /// What is known of the device besides its diagnostics. Throws if the store cannot be read.
  func sight() throws(StoreError) -> TableSight {
    noteState()
    var sight = stateSight()
    sight.refused = try unreadableRows()
    sight.since = watch.since
    sight.isConnected = machine.isConnected
    sight.channelState = machine.channelState
    (sight.channelSince, sight.channelReason) = (
      channelSince, device.process.hasLink ? channelReason : DeviceDiagnostics.Socket.noLink
    )
    sight.counters = machine.counters
    sight.photos = PhotoReport.running(self)
    sight.times = TableTimes(try device.coordinator.store.appValues()[TableTimes.key]?.text)
    return sight
  }

  /// The part of it that the state is computed from.
  private func stateSight() -> TableSight {
    var sight = TableSight(app: app)
    sight.session = machine.owner
    sight.hasSession = machine.isSignedIn
    sight.isSyncing = device.coordinator.isSyncing
    sight.isOnline = device.process.hasLink
    sight.channel = account.flatMap { UUID($0.text) }.map { ChannelClient.name(of: $0) }
    sight.migration = device.process.migration
    return sight
  }

  /// Notes since when the channel is joined or not, and what the service said.
  func note(_ fact: ChannelFact) {
    switch fact {
    case .connectionChanged(let isConnected):
      channelSince = device.clock.now.wall
      channelReason = isConnected ? nil : "the connection ended"
    case .refused(let reason): channelReason = reason
    case .change, .unknownTable, .duplicate, .ownEcho, .retry: break
    }
  }

  /// The state of the device may have changed.
  func noteState() {
    let now = StateMarks(
      isSyncing: device.coordinator.isSyncing, isOnline: device.process.hasLink, hasSession: machine.isSignedIn,
      hasAccount: account != nil, isMigrating: device.process.migration?.isRunning == true)
    guard now != marks else { return }
    marks = now
    let result = (try? device.coordinator.store.values())?[.fetchLastResult]?.text
    let wall = device.clock.now.wall
    watch.note(SyncStatus(stateSight().facts(lastResult: result), at: wall).state, at: wall)
  }

  /// The number of rows that the app cannot read. They are counted again after remote changes only, because the app itself
  /// writes none.
  private func unreadableRows() throws(StoreError) -> Int {
    if let known = unreadable { return known }
    let count = try device.app.unreadableRows?(device.view) ?? 0
    unreadable = count
    return count
  }

  /// Stores when rows of each table were moved, at the end of a sync that moved some.
  func storeTimes() {
    let moved = device.takeMovedTables()
    guard !moved.isEmpty else { return }
    do throws(StoreError) {
      var times = TableTimes(try device.coordinator.store.appValues()[TableTimes.key]?.text)
      times.note(moved, at: device.clock.now.wall)
      let value = AppValueChange(TableTimes.key, .text(times.text))
      try device.edit([], setting: [value])
    } catch {
      device.onFact?(.storeFailed(error))
    }
  }
}
