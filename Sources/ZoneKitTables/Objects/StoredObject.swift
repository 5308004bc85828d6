import ZoneKitRecords

/// An object as a server keeps it, without its bytes.
package struct StoredObject: Hashable, Sendable {
  /// The identifier, which an object keeps when it is replaced.
  package var id: UUID
  /// The bucket.
  package var bucket: String
  /// The path within the bucket.
  package var path: String
  /// The content.
  package var content: ObjectContent
  /// When the object was first uploaded.
  package var createdAt: WallTime
  /// When it was last uploaded.
  package var updatedAt: WallTime

  /// An object with those properties.
  package init(
    id: UUID, bucket: String, path: String, content: ObjectContent, createdAt: WallTime, updatedAt: WallTime
  ) {
    self.id = id
    self.bucket = bucket
    self.path = path
    self.content = content
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}
