import ZoneKitCloud
import ZoneKitRecords

/// Uploads of assets.
extension CloudProcess {
  /// An upload begins to the URL that ends in that text. The driver keeps the bytes, and then asks for `receipt`. Without all
  /// bytes it calls `breakOff`. Throws if the URL is not valid now.
  package mutating func beginUpload(_ text: String, at now: WallTime) throws(CloudError) -> UploadToken {
    try uploads.begin(text, limits: zones.limits, at: now)
  }

  /// An upload ended without its bytes, so its URL is valid again.
  package mutating func breakOff(_ upload: UploadToken) { uploads.breakOff(upload) }

  /// The asset with its receipt, after the bytes of an upload were kept.
  package func receipt(for upload: UploadToken, checksum: String, size: Int64) -> Asset {
    AssetReceipt(Asset(fileChecksum: checksum, size: size), for: upload.place).asset(in: upload.database)
  }

  /// The database that keeps the bytes of the assets of another one. The URLs of a shared database name the owner of the zone,
  /// in whose private database the bytes are; nil if there is no such owner.
  package func placeOfAssets(in database: DatabaseID) throws(StoreError) -> DatabaseID? {
    guard database.scope == .shared else { return database }
    return try zones.store.databases().first { other in
      other.scope == .private && other.container == database.container && other.environment == database.environment
        && UserRecordName.of(user: other.user) == database.user
    }
  }

  /// Whether the files of a database belong to objects of tables, which have rules of their own.
  package func hasObjects(_ database: DatabaseID) -> Bool {
    guard let app = tables?.app else { return false }
    return database.container == app.container && database.environment == app.environment
  }

  /// The error for a request for assets in a database whose files belong to objects.
  func refusal(ofAssetsIn request: CloudRequest, of database: DatabaseID) -> CloudError? {
    guard hasObjects(database) else { return nil }
    switch request {
    case .createUploads, .rereferenceAssets:
      return CloudError(.permissionFailure, "the files of \(database.container) are objects of /storage/v1")
    default: return nil
    }
  }
}
