import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The photos of devices: a driver of the machine `PhotoQueue`, as a real device has one.
extension World {
  // MARK: What users do

  /// Gives the photo with that number to a record as the user of a device, or takes the record's photo away if nil. Throws
  /// a sentence if that is not possible.
  package mutating func setPhoto(_ number: Int?, of record: RecordID, on device: Int) throws(AppRefusal) {
    guard devices[device].isRunning else { throw AppRefusal("\(devices[device].name) does not run") }
    guard devices[device].photos != nil else { throw AppRefusal("the app has no photos") }
    let time = moment(of: device).wall
    let photo = number.flatMap { SimulatedPhotos.photo($0, at: time) }
    let answer = try devices[device].answer(at: time) { app, view, _ throws(AppRefusal) in
      try app.setPhoto(photo, of: record.recordName.text, in: view)
    }
    if let photo { devices[device].photos?.files.insert(photo.name) }
    note(.device(device), .edit, "photo \(number.map(String.init) ?? "none") of \(record.words)")
    do throws(StoreError) {
      try edit(device, answer.edits, setting: answer.appValues)
    } catch {
      failed(device, error)
      throw AppRefusal("the store failed: \(error)")
    }
    // The row may have that photo already, and a process that was killed during the write may have kept nothing.
    guard let change = answer.appValues.first(where: { $0.key == QueuedPhoto.key(of: record) }),
      devices[device].isRunning || devices[device].holds(change)
    else { return }
    checkers.photos.gave(photo?.name, to: record, on: device)
  }

  // MARK: Events

  /// Reads a device's store and files anew, after the start of the app and after a change of account or of the disk.
  mutating func lookAtPhotos(_ device: Int) {
    guard devices[device].isRunning, devices[device].photos != nil else { return }
    do throws(StoreError) {
      try devices[device].readPhotos()
      let orphans = try devices[device].photoOrphans()
      if !orphans.isEmpty {
        try edit(device, [], setting: orphans.map { AppValueChange($0, nil) })
        try devices[device].readPhotos()
      }
      devices[device].removeUnneededPhotos()
      checkQueuedPhotos(device)
    } catch {
      failed(device, error)
    }
    reportPhotos(device)
  }

  /// The app edited records, and its own values, among which may be queued photos.
  mutating func photosChanged(by edits: [RecordEdit], _ values: [AppValueChange], on device: Int) {
    guard case .tables(let app) = devices[device].app.cloud else { return }
    let zone = ZoneID(zoneName: app.zone)
    let queued = values.compactMap { QueuedPhoto.recordName(ofKey: $0.key) }.map {
      RecordID(recordName: $0, zoneID: zone)
    }
    photosChanged(edits.map(\.recordID) + queued, on: device)
  }

  /// Those records or their queued photos may have changed.
  mutating func photosChanged(_ records: [RecordID], on device: Int) {
    guard devices[device].isRunning, devices[device].photos != nil else { return }
    var isChanged = false
    do throws(StoreError) {
      isChanged = try devices[device].readPhotos(of: records)
    } catch {
      failed(device, error)
    }
    if isChanged { reportPhotos(device) }
  }

  private mutating func reportPhotos(_ device: Int) {
    guard let sight = devices[device].photos?.sight else { return }
    link(device) { link, now, _ in link.photosSeen(sight, at: now) }
  }

  // MARK: The machine

  /// Carries out what the outcome of a transfer means.
  mutating func carryOut(_ effect: PhotoQueue.Effect, of device: Int) {
    do throws(StoreError) {
      switch effect {
      case .name(let record, let path):
        checkNaming(path, of: record, on: device)
        let view = devices[device].view(at: moment(of: device).wall)
        let (edits, values) = try devices[device].app.changes(naming: path, of: record, in: view)
        try edit(device, edits, setting: values)
        checkers.photos.settled(record, on: device)
      case .setAside(let record, let photo):
        checkSettingAside(photo, of: record, on: device)
        note(.device(device), .fault, "photo of \(record.words) set aside: \(photo.refusal ?? "")")
        try edit(device, [], setting: [AppValueChange(QueuedPhoto.key(of: record), .text(photo.text))])
        checkers.photos.settled(record, on: device)
      case .keep(let name): devices[device].photos?.files.insert(name)
      case .fact(let fact): note(.device(device), .push, fact.text)
      }
    } catch {
      failed(device, error)
    }
  }
}

extension SimulatedDevice {
  /// Whether the store has that value of the app.
  fileprivate func holds(_ change: AppValueChange) -> Bool {
    guard let values = try? store.appValues() else { return false }
    return values[change.key] == change.value
  }

  fileprivate mutating func readPhotos() throws(StoreError) {
    let store = store
    try photos?.view.read(store)
  }

  fileprivate mutating func readPhotos(of records: [RecordID]) throws(StoreError) -> Bool {
    let store = store
    return try photos?.view.read(records, in: store) ?? false
  }

  fileprivate func photoOrphans() throws(StoreError) -> [String] {
    try photos?.view.orphans(in: store, of: accountOfTables) ?? []
  }

  fileprivate mutating func removeUnneededPhotos() {
    let account = accountOfTables
    guard let needed = photos?.view.needed(by: account) else { return }
    photos?.files.formIntersection(needed)
  }

  /// The account of tables of the coordinator; nil if there is none.
  var accountOfTables: UUID? { coordinator.account.flatMap { UUID($0.text) } }
}
