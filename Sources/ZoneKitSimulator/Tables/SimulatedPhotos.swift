import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitTableClient
import ZoneKitTables

/// The photos of a simulated device: the files on its disk, and what the app's store says about photos. The bytes of a
/// photo are only known by their hash.
struct SimulatedPhotos {
  /// The photos in the store, as the running process has read them.
  var view: PhotoView
  private let unread: PhotoView
  /// The photos whose files are on the disk. A file is on the disk as soon as it is written.
  var files: Set<PhotoName> = []

  /// The photos of a new device. Nil if the app has none.
  init?(_ app: DeviceApp) {
    guard case .tables(let app) = app.cloud, let view = PhotoView(app) else { return nil }
    (self.view, unread) = (view, view)
  }

  /// The process ended. Its files stay.
  mutating func forget() { view = unread }

  /// What the device's store says about photos, for the queue.
  var sight: PhotoQueue.Sight {
    var sight = PhotoQueue.Sight()
    sight.queued = view.waiting
    sight.named = view.named
    sight.stored = files
    return sight
  }

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
