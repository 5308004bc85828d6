import ZoneKitRecords
import ZoneKitTables

/// What scenarios expect of photos.
extension Observer {
  /// What is wrong if a row on a device is to name the photo with that number, whose bytes are on the device.
  func photoFinding(_ number: Int, of record: RecordID, on device: Int, in world: World) -> [String]? {
    let device = world.devices[device]
    guard let photos = device.process.photos, let account = device.accountOfTables else {
      return ["\(device.name) has no account with photos"]
    }
    guard let path = photos.path(of: record) else {
      return [photos.queued[record].map { "its photo \($0.words)" } ?? "it has no photo"]
    }
    guard let name = PhotoName(path: path, of: account), name == PhotoName(hash: SimulatedPhotos.hash(ofPhoto: number))
    else { return ["it has the photo \(path)"] }
    return device.process.photoFiles.contains(name) ? nil : ["the bytes of \(path) are not on \(device.name)"]
  }
}
