import ZoneKitCloud
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// The assets of a server: it keeps, reads and collects their bytes.
final class AssetService {
  let zones: FileZoneService
  let loop: Loop
  var bytes: AssetBytes
  private(set) lazy var collector = AssetCollector(of: self)
  /// The errors of the assets that could not be read when they were last asked for, by their paths.
  private var unreadable: [String: StoreError] = [:]
  /// The most of these errors that are kept.
  private static let unreadableLimit = 100

  /// The assets of the cloud in that folder.
  init(root: String, of zones: FileZoneService, on loop: Loop) {
    self.zones = zones
    self.loop = loop
    bytes = AssetBytes(root: root)
  }

  /// The most bytes of an asset.
  var limit: Int { zones.process.zones.limits.assetBytes }

  /// Keeps the bytes of an upload, which are in that file. Returns the asset with its receipt.
  func keep(_ draft: FileDraft, of upload: UploadToken, hash: [UInt8], size: Int) throws(StoreError) -> Asset {
    let (files, name) = (bytes.files, Hexadecimal.text(hash))
    let isNew = try files.size(name, in: upload.database) == nil
    try files.keep(draft, hash: name, in: upload.database)
    collector.uploaded(isNew ? size : nil, in: upload.database)
    unreadable[files.path(name, in: upload.database)] = nil
    return zones.process.receipt(for: upload, checksum: Base64.encode(hash), size: Int64(size))
  }

  /// The file of an asset was verified with that result, or could not be read.
  func verified(_ hash: String, in database: DatabaseID, _ result: Result<FileStamp?, StoreError>) {
    let path = bytes.files.path(hash, in: database)
    switch result {
    case .success(let stamp):
      unreadable[path] = nil
      if let stamp { bytes.note(stamp, hash, in: database) }
    case .failure(let error):
      if unreadable.count < Self.unreadableLimit || unreadable[path] != nil { unreadable[path] = error }
    }
  }

  /// What is wrong with the assets that could not be read when they were last asked for, in the order of their paths.
  var errors: [StoreError] { unreadable.sorted { $0.key < $1.key }.map(\.value) }
}
