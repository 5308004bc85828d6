import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// Photos of rows at a device's console.
extension TableConsole {
  /// The number of photos that wait to be uploaded.
  var photosToSend: Int { link.machine.isSignedIn ? link.machine.photos.uploads : 0 }

  /// The photo that a user chose, copied into the device's folder; nil if the row is to have none.
  func photo(_ choice: TableCommand.PhotoChoice) throws(AppRefusal) -> QueuedPhoto? {
    switch choice {
    case .file(let path): return try link.photos?.add(path)
    case .none, .shown: return nil
    }
  }

  /// Where the photo of a record is, as a line for users.
  func place(ofPhotoOf record: RecordID) throws(AppRefusal) -> String {
    guard let photos = link.photos else { throw AppRefusal("this app has no photos") }
    return try photos.place(of: record)
  }

  /// Tries the photo of a record again, or all photos if nil.
  func retryPhotos(of record: RecordID?) throws(StoreError) {
    try client.attempt { (process, moment) throws(StoreError) in try process.retryPhotos(of: record, at: moment) }
  }

  /// Tries everything again that was set aside, and goes on with a migration that was interrupted. Returns the lines for
  /// the user.
  func retry() throws(StoreError) -> [String] {
    let records = try client.coordinator.store.quarantined(limit: .max).map(\.recordID)
    for record in records {
      try client.attempt { (coordinator, now, generator) throws(StoreError) in
        try coordinator.sendFirst(record, at: now, using: &generator)
      }
    }
    let photos = client.process.photos?.queued.values.count { $0.refusal != nil } ?? 0
    try retryPhotos(of: nil)
    let lines = isMigrationInterrupted ? migrate() : []
    let tried = "trying again: \(records.count.counted("row")), \(photos.counted("photo"))"
    return (records.isEmpty && photos == 0 ? lines.isEmpty ? ["nothing is set aside"] : [] : [tried]) + lines
  }
}

extension DeviceEvent {
  /// The event for a fact about photos.
  init(_ fact: PhotoFact) {
    self.init(
      "photo",
      [("fact", .string(fact.kind)), ("place", .string(fact.place))]
        + (fact.reason.map { [("reason", .string($0))] } ?? []), fact.text)
  }
}
