/// The upload of an asset that a client is about to make (CloudKit Web Services, a.1 row 21).
public struct AssetUpload: Hashable, Sendable {
  /// The record that is to have the asset; nil to let the cloud make a name.
  public var recordName: Name?
  /// The type of the record.
  public var recordType: Name
  /// The field that is to have the asset.
  public var fieldName: Name

  /// An upload for that field of a record.
  public init(recordName: Name?, recordType: Name, fieldName: Name) {
    self.recordName = recordName
    self.recordType = recordType
    self.fieldName = fieldName
  }
}

/// The permission to upload an asset once.
public struct AssetUploadToken: Hashable, Sendable {
  /// The record that is to have the asset.
  public var recordName: Name
  /// The field that is to have the asset.
  public var fieldName: Name
  /// The last part of the upload's URL.
  public var token: String

  /// A permission for that field of a record.
  public init(recordName: Name, fieldName: Name, token: String) {
    self.recordName = recordName
    self.fieldName = fieldName
    self.token = token
  }
}

/// A field of a record that has an asset, to be used in another record too (CloudKit Web Services, a.1 row 23).
public struct AssetPlace: Hashable, Sendable {
  /// The record.
  public var recordName: Name
  /// The field.
  public var fieldName: Name

  /// That field of a record.
  public init(recordName: Name, fieldName: Name) {
    self.recordName = recordName
    self.fieldName = fieldName
  }
}

/// The result of a request to use an asset again.
public enum AssetResult: Hashable, Sendable {
  /// The asset with a receipt for any field of the database.
  case asset(Asset)
  /// There is no such asset.
  case failed(AssetPlace, CloudError)
}
