import ZoneKitRecords

/// The photos of an app: which rows have one, and where its object lies.
package struct TablePhotos: Hashable, Sendable {
  /// The column that holds the path of the object. A table without it has no photos.
  package var column: Name
  /// The tables to whose rows a user can give a photo, with the folders of their objects.
  package var folders: [Name: String]
  /// The most bytes of a photo.
  package var sizeLimit: Int

  /// Photos in that column.
  package init(column: Name, folders: [Name: String], sizeLimit: Int) {
    self.column = column
    self.folders = folders
    self.sizeLimit = sizeLimit
  }

  /// The path of a photo of a row: `<account>/<folder>/<key>/<name>.jpg`. Nil if users give the row no photo.
  package func path(of photo: PhotoName, for record: RecordID, account: UUID) -> String? {
    let parts = record.recordName.text.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let folder = folders[Name(String(parts[0]))] else { return nil }
    return "\(account.text)/\(folder)/\(parts[1])/\(photo.text)\(PhotoName.ending)"
  }
}
