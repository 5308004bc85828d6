import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTableClient
import ZoneKitTables

/// The photos that users give.
extension World {
  // MARK: What users do

  /// Gives the photo with that number to a record as the user of a device, or takes the record's photo away if nil. Throws
  /// a sentence if that is not possible.
  package mutating func setPhoto(_ number: Int?, of record: RecordID, on device: Int) throws(AppRefusal) {
    guard devices[device].isRunning else { throw AppRefusal("\(devices[device].name) does not run") }
    guard devices[device].process.photos != nil else { throw AppRefusal("the app has no photos") }
    let time = moment(of: device).wall
    let photo = number.flatMap { SimulatedPhotos.photo($0, at: time) }
    let answer = try devices[device].process.ask(at: time) { app, view, _ throws(AppRefusal) in
      try app.setPhoto(photo, of: record.recordName.text, in: view)
    }
    if let photo { devices[device].process.photosKept([photo.name]) }
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
    log(.photoGiven(photo?.name, record), of: device)
  }
}

extension SimulatedDevice {
  /// Whether the store has that value of the app.
  fileprivate func holds(_ change: AppValueChange) -> Bool {
    guard let values = try? store.appValues() else { return false }
    return values[change.key] == change.value
  }

  /// The account of tables of the coordinator; nil if there is none.
  var accountOfTables: UUID? { process.accountOfTables }
}
