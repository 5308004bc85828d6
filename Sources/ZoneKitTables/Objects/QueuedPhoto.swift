import ZoneKitRecords

/// A photo that a user gave to a row and that the row does not name yet: the app's value `photo/<record>`. Its bytes are
/// in a file of the device.
package struct QueuedPhoto: Hashable, Sendable {
  /// The beginning of the keys of these values.
  private static let keyStart = "photo/"

  /// The name of the photo.
  package var name: PhotoName
  /// The number of bytes.
  package var size: Int
  /// The media type.
  package var mediaType: String
  /// When the user gave it, by the device's wall clock.
  package var since: WallTime
  /// Why the service refused it; nil if it waits to be uploaded.
  package var refusal: String?

  /// A photo that waits.
  package init(name: PhotoName, size: Int, mediaType: String, since: WallTime, refusal: String? = nil) {
    self.name = name
    self.size = size
    self.mediaType = mediaType
    self.since = since
    self.refusal = refusal
  }

  /// Reads the text that `text` made; nil for any other.
  package init?(_ text: String) {
    guard let json = try? JSON(parsing: text), let name = json["name"]?.string.flatMap({ PhotoName(hash: $0) }),
      let size = json["size"]?.integer, let mediaType = json["type"]?.string, let since = json["since"]?.integer
    else { return nil }
    self.init(
      name: name, size: Int(size), mediaType: mediaType, since: WallTime(milliseconds: since),
      refusal: json["refusal"]?.string)
  }

  /// The photo as the text of a value.
  package var text: String {
    let json: JSON = [
      "name": .string(name.text), "size": .integer(Int64(size)), "type": .string(mediaType),
      "since": .integer(since.milliseconds), "refusal": refusal.map { .string($0) } ?? .null,
    ]
    return json.text()
  }

  /// The state in words.
  package var words: String { refusal.map { "set aside: \($0)" } ?? "waits to be uploaded" }

  /// The key of the value for a record.
  package static func key(of record: RecordID) -> String { keyStart + record.recordName.text }

  /// The name of the record whose photo a value with that key is; nil for any other key.
  package static func recordName(ofKey key: String) -> Name? {
    key.hasPrefix(keyStart) ? Name(String(key.dropFirst(keyStart.count))) : nil
  }
}
