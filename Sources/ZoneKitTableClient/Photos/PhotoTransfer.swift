import ZoneKitRecords
import ZoneKitTables

/// The upload or download of one photo.
package enum PhotoTransfer: Hashable, Sendable {
  /// A photo that the user gave to a record goes to an object.
  case upload(RecordID, QueuedPhoto, path: String)
  /// The photo that a row names comes from its object.
  case download(PhotoName, path: String)

  /// The path of the object.
  package var path: String {
    switch self {
    case .upload(_, _, let path), .download(_, let path): path
    }
  }
}
