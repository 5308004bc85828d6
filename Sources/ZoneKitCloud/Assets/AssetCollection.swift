import ZoneKitRecords

/// Which files of a database's assets are to be removed. A file is kept while a record has the asset, and for some time after
/// each upload of its bytes, because a receipt promises them.
package struct AssetCollection: Hashable, Sendable {
  /// A file with the bytes of an asset.
  package struct File: Hashable, Sendable {
    /// The hash of the bytes, which is the file's name.
    package let hash: String
    /// The number of bytes.
    package let size: Int64
    /// When the bytes were last uploaded.
    package let uploadedAt: WallTime

    /// That file.
    package init(hash: String, size: Int64, uploadedAt: WallTime) {
      self.hash = hash
      self.size = size
      self.uploadedAt = uploadedAt
    }
  }

  /// The hashes of the files to remove.
  package private(set) var unneeded: Set<String> = []
  /// In how many milliseconds the next file may be removed; nil if all others belong to records.
  package private(set) var nextIn: Int64?

  /// The files of a database whose records have assets with those checksums. If a zone lost records, every file is kept: the
  /// records may come back with an older copy of the zone.
  package init(
    of files: [File], needed checksums: Set<String>, zones: [ZoneHeader], limits: Limits, at now: WallTime
  ) {
    guard !zones.contains(where: { $0.isAfterLoss || $0.deletion == .lost }) else { return }
    let needed = Set(checksums.compactMap(Asset.hash))
    for file in files where !needed.contains(file.hash) {
      let rest = file.uploadedAt.milliseconds + limits.unusedAssetTime - now.milliseconds
      if rest <= 0 { unneeded.insert(file.hash) } else { nextIn = min(nextIn ?? rest, rest) }
    }
  }
}
