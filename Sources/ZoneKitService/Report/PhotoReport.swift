import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitTableClient
import ZoneKitTables

/// The part of the diagnostics dump about the photos of a device, as JSON: the numbers of those that are there, that wait
/// to be uploaded and to be downloaded, and those that the service refused.
enum PhotoReport {
  /// The photos of a running device; null if its app has none.
  static func running(_ link: TableServerLink) -> JSON {
    let process = link.device.process
    guard let photos = process.photos else { return .null }
    let queue = link.machine.photos
    return report(
      photos.queued, stored: process.photoFiles.count, toDownload: queue.downloads, missing: queue.missing)
  }

  /// The photos in the store and the folder of a stopped device; null if its app has none.
  static func stopped(
    _ store: DeviceFile, in folder: String, of app: TableApp, account: UUID?
  ) throws(StoreError) -> JSON {
    guard var view = PhotoView(app) else { return .null }
    try view.read(store)
    let stored = try PhotoFiles(device: folder).names()
    let named = Set(view.named.values.compactMap { path in account.flatMap { PhotoName(path: path, of: $0) } })
    return report(view.queued, stored: stored.count, toDownload: named.subtracting(stored).count, missing: [:])
  }

  private static func report(
    _ queued: [RecordID: QueuedPhoto], stored: Int, toDownload: Int, missing: [String: String]
  ) -> JSON {
    let refused = queued.sorted { $0.key < $1.key }.compactMap { record, photo -> JSON? in
      photo.refusal.map { ["record": .string(record.recordName.text), "reason": .string($0)] }
    }
    return [
      "stored": .integer(Int64(stored)), "waiting": .integer(Int64(queued.count - refused.count)),
      "setAside": .array(refused), "toDownload": .integer(Int64(toDownload)),
      "missing": .array(
        missing.keys.map { Name($0) }.sorted().map { path in
          ["path": .string(path.text), "reason": .string(missing[path.text] ?? "")]
        }),
    ]
  }
}
