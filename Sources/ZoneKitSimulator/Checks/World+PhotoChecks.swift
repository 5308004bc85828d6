import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

/// The checks of photos.
extension World {
  /// Reports a row that is about to name a photo which the cloud does not have, unless a purge removed it since its upload.
  mutating func checkNaming(_ path: String, of record: RecordID, on device: Int) {
    guard let account = devices[device].account, !hasObject(at: path, of: account), !isPurged(path) else { return }
    report(
      Violation(
        .reference, at: now, on: devices[device].name,
        "record \(record.words) names the photo \(path), which is not in the cloud yet"), on: .device(device))
  }

  /// Reports a photo that a device does not upload any more although nothing speaks against it.
  mutating func checkSettingAside(_ photo: QueuedPhoto, of record: RecordID, on device: Int) {
    guard devices[device].process.photoFiles.contains(photo.name),
      !checkers.photos(of: device).maySetAside(record)
    else { return }
    complain(
      .quarantine, record, "has a photo that is set aside for a passing reason: \(photo.refusal ?? "none")", device)
  }

  /// Reports queued photos whose files a device has removed as of no use.
  mutating func checkQueuedPhotos(_ device: Int) {
    guard devices[device].process.photos != nil, let values = try? devices[device].store.appValues() else { return }
    for (record, photo) in checkers.photos(of: device).open where !devices[device].process.photoFiles.contains(photo) {
      guard let text = values[QueuedPhoto.key(of: record)]?.text, QueuedPhoto(text)?.name == photo else { continue }
      complain(.lostEdit, record, "has the queued photo \(photo.text), whose file was removed", device)
    }
  }

  /// Reports photos that are not where they belong once everything has come to rest.
  mutating func checkPhotos(_ device: Int) {
    guard let photos = devices[device].process.photos, let account = devices[device].account,
      let owner = devices[device].accountOfTables
    else { return }
    for (record, path) in photos.named.sorted(by: { $0.key < $1.key }) {
      guard let name = PhotoName(path: path, of: owner), !isPurged(path) else { continue }
      if !hasObject(at: path, of: account) {
        complain(.reference, record, "names the photo \(path), which is not in the cloud", device)
      } else if !devices[device].process.photoFiles.contains(name) {
        complain(.convergence, record, "names the photo \(path), whose bytes are not on the device", device)
      }
    }
    let waiting = photos.waiting.filter { $0.value.refusal == nil }
    for record in waiting.keys.sorted() { complain(.pending, record, "has a photo that waits to be uploaded", device) }
    for (record, photo) in checkers.photos(of: device).open where waiting[record] == nil {
      guard devices[device].local(record)?.local?.isLivingRow == true else { continue }
      complain(.lostEdit, record, "was given the photo \(photo.text), which is neither named nor queued", device)
    }
  }

  private mutating func complain(_ rule: Violation.Rule, _ record: RecordID, _ text: String, _ device: Int) {
    report(
      Violation(rule, at: now, on: devices[device].name, "record \(record.words) \(text)"), on: .device(device))
  }

  /// Whether a purge removed the object at a path before a row named it.
  private func isPurged(_ path: String) -> Bool { objectName(path).map { checkers.cloud.mayLack($0) } ?? false }

  /// The name of the record of the object at a path; nil if the path is none.
  private func objectName(_ path: String) -> Name? {
    guard let bucket = cloud.tables?.app.bucket, let place = ObjectPath(path) else { return nil }
    return Name("\(bucket.name)/\(place.text)")
  }

  /// Whether the cloud has the object at a path, with its bytes.
  private func hasObject(at path: String, of account: Name) -> Bool {
    guard let tables = cloud.tables, let name = objectName(path) else { return false }
    let id = RecordID(recordName: name, zoneID: Self.objects)
    guard let record = cloudRecord(id, of: account), let fields = try? record.fields.decoded(),
      let object = try? StoredObject(fields, of: name, updatedAt: record.modified.at)
    else { return false }
    return tables.hasBytes(of: object)
  }
}

extension RecordContent {
  /// Whether the row is not deleted.
  fileprivate var isLivingRow: Bool { (try? fields.decoded()).map { $0[.deletedAt] == nil } ?? false }
}
