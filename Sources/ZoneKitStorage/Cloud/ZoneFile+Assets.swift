import ZoneKitRecords

extension ZoneFile {
  /// The checksums of the assets that live records have.
  func assetChecksums() throws(StoreError) -> Set<String> {
    var found: Set<String> = []
    try fieldsWithAssets.visit { row throws(StoreError) in
      found.formUnion(AssetText.checksums(in: Array(row.utf8(0)).span))
      return true
    }
    return found
  }
}
