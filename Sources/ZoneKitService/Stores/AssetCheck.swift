import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage

/// Verifies the assets of all records of a cloud: the bytes of each are in an ordinary file of the right size and hash.
struct AssetCheck {
  /// The faults of the files of assets.
  private(set) var faults: [FileFault] = []
  private let root: String
  private let files: AssetFiles

  /// Checks the cloud in that folder. What keeps records from being read is a fault of their zone, which its check reports.
  init(root: String) {
    self.root = root
    files = AssetFiles(root: root)
    for database in (try? CloudFiles.readOnly(root: root).databases()) ?? [] {
      let known = assets(of: database)
      let faulty = known.sorted { $0.key < $1.key }.compactMap { checksum, holder in
        problem(of: checksum, holder, in: database).map { (checksum: checksum, fault: $0) }
      }
      guard !faulty.isEmpty else { continue }
      // A running server may have removed an asset and its file since its record was read.
      let present = assets(of: database)
      faults += faulty.filter { present[$0.checksum] != nil }.map(\.fault)
    }
  }

  /// Moves the damaged files of assets to a folder. The records stay, so that an upload of their bytes completes them. The
  /// caller holds the cloud's lock.
  static func repair(root: String, backup: String) throws(StoreError) -> [CloudRepair.Deed] {
    try Self(root: root).faults.movingAway(
      from: root, to: backup, "moved away; its record waits for an upload of the same bytes")
  }

  /// The assets of a database by their checksums, each with the first record that has it.
  private func assets(of database: DatabaseID) -> [String: String] {
    // Most databases have none, which is known without reading their records.
    let checksums = try? CloudFiles.readOnly(root: root).assetChecksums(in: database)
    if let checksums, checksums.isEmpty { return [:] }
    var found: [String: String] = [:]
    let reading = CloudReading(database, root: root)
    for zoneID in (try? reading.zoneIDs()) ?? [] {
      for (name, sighting) in (try? reading.zone(zoneID.zoneName))?.sightings ?? [:] {
        guard case .saved(let version) = sighting else { continue }
        for checksum in AssetText.checksums(in: version.content.fields.utf8.span) {
          found[checksum] = min(found[checksum] ?? name.text, name.text)
        }
      }
    }
    return found
  }

  private func problem(of checksum: String, _ holder: String, in database: DatabaseID) -> FileFault? {
    guard let hash = Asset.hash(of: checksum) else {
      return FileFault(
        "the asset of record \(holder) has no SHA-256 hash: \(checksum)", at: files.path("", in: database))
    }
    do throws(StoreError) {
      guard try AssetBytes.verify(hash, in: database, of: files) == nil else { return nil }
      throw StoreError(
        .corrupt, "the file of the asset of record \(holder) is missing", place: files.path(hash, in: database))
    } catch {
      return FileFault(StoreError(error.kind, "asset of record \(holder): \(error.message)", place: error.place))
    }
  }
}
