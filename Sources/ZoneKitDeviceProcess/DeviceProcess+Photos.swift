import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The photos of the app's rows.
extension DeviceProcess {
  // MARK: Events

  /// Reads the photos of the store anew, and removes what nothing needs: after the start of the app and after a change of
  /// account.
  var photoSteps: [Step] { photos == nil ? [] : [.readAllPhotos, .removePhotos] }

  /// The app has changed those records, and its own values, among which may be queued photos.
  func photoSteps(after edits: [RecordEdit], _ values: [AppValueChange]) -> [Step] {
    guard photos != nil, case .tables(let app) = app.cloud else { return [] }
    let zone = ZoneID(zoneName: app.zone)
    let queued = values.compactMap { QueuedPhoto.recordName(ofKey: $0.key) }.map {
      RecordID(recordName: $0, zoneID: zone)
    }
    return [.readPhotos(edits.map(\.recordID) + queued)]
  }

  /// The bytes of those photos are on the device.
  package mutating func photosKept(_ photos: Set<PhotoName>) { photoFiles.formUnion(photos) }

  /// The user tries again what was set aside: the photo of that record, or those of all if nil. Throws if the store fails.
  package mutating func retryPhotos(of record: RecordID?, at moment: Moment) throws(StoreError) {
    guard let photos else { return }
    let refused = photos.queued.filter { $0.value.refusal != nil && (record == nil || $0.key == record) }
    let values = refused.sorted { $0.key < $1.key }.map { id, photo in
      var photo = photo
      photo.refusal = nil
      return AppValueChange(QueuedPhoto.key(of: id), .text(photo.text))
    }
    if !values.isEmpty { try edit([], setting: values, at: moment) }
    let paths = record.map { photos.path(of: $0).map { [$0] } ?? [] }
    pass(at: moment.monotonic) { link, now, _ in link.photosRetried(paths, at: now) }
  }

  // MARK: Steps

  mutating func readPhotos(of records: [RecordID], at now: MonotonicTime) -> DeviceEffect? {
    do throws(StoreError) {
      guard try photos?.read(records, in: coordinator.store) == true else { return nil }
      reportPhotos(at: now)
      return nil
    } catch {
      return .storeFailed(error)
    }
  }

  mutating func readAllPhotos() -> DeviceEffect? {
    do throws(StoreError) {
      try photos?.read(coordinator.store)
      let orphans = try photos?.orphans(in: coordinator.store, of: accountOfTables) ?? []
      guard !orphans.isEmpty else { return nil }
      return .edit(DeviceEdit(cause: .photoOrphans, values: orphans.map { AppValueChange($0, nil) }))
    } catch {
      return .storeFailed(error)
    }
  }

  mutating func removePhotos(at now: MonotonicTime) -> DeviceEffect? {
    defer { reportPhotos(at: now) }
    do throws(StoreError) {
      try photos?.readQueue(coordinator.store)
      let needed = photos?.needed(by: accountOfTables) ?? []
      photoFiles.formIntersection(needed)
      return .removePhotos(but: needed)
    } catch {
      return .storeFailed(error)
    }
  }

  private mutating func reportPhotos(at now: MonotonicTime) {
    guard let photos else { return }
    var sight = PhotoQueue.Sight()
    sight.queued = photos.waiting
    sight.named = photos.named
    sight.stored = photoFiles
    pass(at: now) { link, now, _ in link.photosSeen(sight, at: now) }
  }

  // MARK: The queue

  /// Sends a transfer. A photo whose file is gone cannot be sent.
  mutating func askObject(
    _ id: TableLink.AskID, _ transfer: PhotoTransfer, token: String, at now: MonotonicTime
  ) -> DeviceEffect? {
    guard case .upload(_, let photo, _) = transfer, !photoFiles.contains(photo.name) else {
      return .askObject(id, transfer, token: token)
    }
    let lost = ObjectOutcome.unreadable("the device has no file with the bytes of the photo")
    pass(at: now) { $0.objectAnswered(id, lost, at: $1, using: &$2) }
    return nil
  }

  /// Carries out what the outcome of a transfer means.
  mutating func carryOut(_ effect: PhotoQueue.Effect, at moment: Moment) -> DeviceEffect? {
    switch effect {
    case .name(let record, let path):
      do throws(StoreError) {
        let (edits, values) = try app.changes(naming: path, of: record, in: view(at: moment.wall))
        return .edit(DeviceEdit(cause: .photoNamed(record, path: path), edits: edits, values: values))
      } catch {
        return .storeFailed(error)
      }
    case .setAside(let record, let photo):
      let value = AppValueChange(QueuedPhoto.key(of: record), .text(photo.text))
      return .edit(DeviceEdit(cause: .photoSetAside(record, photo), values: [value]))
    case .keep(let name):
      defer { received = [] }
      return .keepPhoto(name, received)
    case .fact(let fact):
      tellMigration(fact)
      return .photoFact(fact)
    }
  }
}
