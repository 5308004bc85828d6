import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// Removes the files of assets that no record has, some time after the change that made them unneeded. It looks at whole
/// databases, one at a time and only at those with files, so that a change of records costs nothing for this.
///
/// It works between two turns, on the thread of the turns: each record that is committed by then counts, and none is being
/// committed.
final class AssetCollector {
  /// The longest time between a change and the look at its database, in milliseconds.
  private static let delay: Int64 = 60_000

  private unowned let assets: AssetService
  private lazy var timer = Timer(on: assets.loop) { [unowned self] in collect() }
  /// When the databases with files are to be looked at, in milliseconds of the loop's clock.
  private var due: [DatabaseID: Int64] = [:]
  /// The files of the databases that have some, and their bytes.
  private var totals: [DatabaseID: (files: Int, bytes: Int64)] = [:]
  /// Why files could not be listed or removed.
  private(set) var failures: [DatabaseID: StoreError] = [:]

  init(of assets: AssetService) { self.assets = assets }

  /// Looks at all databases with files, because others may have changed them while no server ran.
  func start() {
    let databases = (try? assets.zones.databases()) ?? []
    for database in databases where assets.bytes.files.hasFiles(in: database) {
      if !assets.zones.process.hasObjects(database) { schedule(database, after: 0) }
    }
  }

  /// The number of files of all databases, and their bytes.
  var total: (files: Int, bytes: Int64) {
    totals.values.reduce((0, 0)) { ($0.0 + $1.files, $0.1 + $1.bytes) }
  }

  /// A file of that size was uploaded; nil for one that was there already.
  func uploaded(_ size: Int?, in database: DatabaseID) {
    let before = totals[database] ?? (0, 0)
    totals[database] = (before.files + (size == nil ? 0 : 1), before.bytes + Int64(size ?? 0))
    changed(database)
  }

  /// Records of a database changed. Most databases have no files, and nothing is to be done for them.
  func changed(_ database: DatabaseID) {
    guard totals[database] != nil else { return }
    schedule(database, after: min(Self.delay, assets.zones.process.zones.limits.unusedAssetTime))
  }

  /// Looks at a database after that time, unless it is to be looked at before.
  private func schedule(_ database: DatabaseID, after milliseconds: Int64) {
    due[database] = min(due[database] ?? .max, assets.loop.now + milliseconds)
    if let next = due.values.min() { timer.schedule(at: next) }
  }

  private func collect() {
    let now = assets.loop.now
    for database in due.filter({ $0.value <= now }).keys.sorted() {
      due[database] = nil
      do throws(StoreError) {
        try collect(in: database)
        failures[database] = nil
      } catch {
        failures[database] = error
        schedule(database, after: 10 * Self.delay)
      }
    }
    if let next = due.values.min() { timer.schedule(at: next) }
  }

  private func collect(in database: DatabaseID) throws(StoreError) {
    let (files, store) = (assets.bytes.files, assets.zones.process.zones.store)
    let found = try files.files(in: database)
    let collection = AssetCollection(
      of: found, needed: try store.assetChecksums(in: database), zones: try store.zones(in: database),
      limits: assets.zones.process.zones.limits, at: assets.zones.now().wall)
    for hash in collection.unneeded { try files.remove(hash, in: database) }
    let kept = found.filter { !collection.unneeded.contains($0.hash) }
    totals[database] = kept.isEmpty ? nil : (kept.count, kept.reduce(0) { $0 + $1.size })
    if let next = collection.nextIn { schedule(database, after: min(next, 24 * 3_600_000)) }
  }
}
