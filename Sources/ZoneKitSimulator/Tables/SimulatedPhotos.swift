import ZoneKitRecords
import ZoneKitTables

/// The photos of simulated users. The bytes of a photo are only known by their hash.
enum SimulatedPhotos {
  /// The hash of the bytes of the photo with that number.
  static func hash(ofPhoto number: Int) -> String { hash(of: Hexadecimal.text(digits(of: number))) }

  /// The hash of the bytes of the photo of that name, which is made of the first half alone.
  static func hash(of photo: PhotoName) -> String { hash(of: photo.text) }

  private static func hash(of half: String) -> String { half + half }

  private static func digits(of number: Int) -> [UInt8] {
    let hash = FNV1a.hash("photo \(number)")
    return (0..<16).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
  }

  /// The photo with that number as a user gives it at that time; nil for none, which does not happen.
  static func photo(_ number: Int, at now: WallTime) -> QueuedPhoto? {
    PhotoName(hash: hash(ofPhoto: number)).map {
      QueuedPhoto(name: $0, size: 1_000 + number, mediaType: "image/jpeg", since: now)
    }
  }
}
