import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync
import ZoneKitTimeline

/// Edits by users and apps.
extension World {
  /// Writes edits of the app, and changes of its own values, in one transaction. Throws if the store fails or an edit is
  /// wrong; then nothing was written, as far as the app knows.
  package mutating func edit(
    _ device: Int, _ edits: [RecordEdit], setting appValues: [AppValueChange] = []
  ) throws(StoreError) {
    guard !edits.isEmpty || !appValues.isEmpty else { return }
    guard devices[device].isRunning else {
      throw StoreError(.failed, "\(devices[device].name) does not run, so nobody can edit there", place: "world")
    }
    let seen = seenRecords(of: edits, on: device)
    let before = devices[device].store.commitCount
    note(.device(device), .edit, Self.words(edits), TraceDetail(edits))
    do throws(StoreError) {
      try attempt(
        device,
        acting: { (process, moment) throws(StoreError) in
          try process.edit(edits, setting: appValues, at: moment)
        })
    } catch {
      // A disk that fails after the write has kept the edits.
      if devices[device].store.commitCount > before {
        logEdits(edits, seen, on: device)
      }
      throw error
    }
    logEdits(edits, seen, on: device)
    // A process that was killed during the write may have kept nothing.
    guard devices[device].isRunning else { return }
    log(.wrote(edits), of: device)
  }

  /// The records that the user is about to edit, in the user's version.
  private func seenRecords(of edits: [RecordEdit], on device: Int) -> [EditedRecord] {
    var seen: [EditedRecord] = []
    for edit in edits where !seen.contains(where: { $0.id == edit.recordID }) {
      let record = devices[device].local(edit.recordID)
      seen.append(EditedRecord(edit.recordID, from: record?.local, to: nil, wasConfirmed: record?.server != nil))
    }
    return seen
  }

  /// The changes of records from the user's earlier version to the device's present one.
  private func changes(of seen: [EditedRecord], on device: Int) -> [EditedRecord] {
    seen.map { seen in
      var change = seen
      change.after = devices[device].local(seen.id)?.local
      return change
    }
  }

  private mutating func logEdits(_ edits: [RecordEdit], _ seen: [EditedRecord], on device: Int) {
    log(.edited(changes(of: seen, on: device), trueTime: wall), of: device)
    for edit in edits {
      guard case .delete(let id) = edit, mayBeMadeAnew(id) else { continue }
      check(device) { $0.model.excuse(id) }
    }
  }

  /// Whether a device may create a record again after its deletion: it does not know whether the cloud saved the
  /// record, and may read the zone from its beginning without seeing the deletion (sync semantics, 2.4 and 3.3). It
  /// then sends the record again rather than losing it.
  private func mayBeMadeAnew(_ id: RecordID) -> Bool {
    let limits = cloud.process.zones.limits
    guard limits.firstFetchTombstones != .all || limits.visibleDelay > 0 else { return false }
    return devices.contains { device in
      guard let record = try? device.store.record(id) else { return false }
      return record.local != nil && record.server == nil && record.sent != nil
    }
  }

  /// The app's answer to a command. Throws a sentence if the command is not possible.
  mutating func answer(_ device: Int, _ line: String) throws(AppRefusal) -> AppAnswer {
    guard devices[device].isRunning else { throw AppRefusal("\(devices[device].name) does not run") }
    checkView(of: device)
    return try devices[device].process.answer(to: line, at: moment(of: device).wall)
  }

  /// Performs a command of the app. Throws a sentence if the command is not possible.
  package mutating func perform(_ device: Int, _ line: String) throws(AppRefusal) {
    let answer = try answer(device, line)
    do throws(StoreError) {
      try edit(device, answer.edits, setting: answer.appValues)
    } catch {
      failed(device, error)
      throw AppRefusal("the store failed: \(error)")
    }
  }

  private static func words(_ edits: [RecordEdit]) -> String {
    let first = edits.prefix(2).map { edit in
      switch edit {
      case .save(let id, let type, _, _, _): TraceDetail.short(id.recordName, of: type)
      case .delete(let id): "delete \(id.recordName.short)"
      case .repair(let id, let type, _, _, let rule): "\(rule) \(TraceDetail.short(id.recordName, of: type))"
      }
    }
    return first.joined(separator: ", ") + (edits.count > 2 ? " and \(edits.count - 2) more" : "")
  }

  /// The running app shows what a new launch would show.
  mutating func checkView(of device: Int) {
    // The coordinator reports a store that cannot be read.
    guard let text = try? devices[device].process.staleness(at: moment(of: device).wall) else { return }
    report(Violation(.view, at: now, on: devices[device].name, text), on: .device(device))
  }

  /// Writes the repairs of the app's rules.
  mutating func repair(_ device: Int, _ edits: [RecordEdit]) throws(StoreError) {
    let wall = moment(of: device).wall
    let seen = seenRecords(of: edits, on: device)
    try edit(device, edits)
    logRepairs(changes(of: seen, on: device), on: device, at: wall)
  }

  /// Logs the repairs of the app's rules, made at that time of the device's clock.
  private mutating func logRepairs(_ changes: [EditedRecord], on device: Int, at wall: WallTime) {
    let real = changes.filter { $0.before != nil && $0.after != nil && $0.before != $0.after }
    log(.repaired(real), of: device)
    let state = devices[device]
    let view = state.process.view(at: wall)
    for change in real {
      guard let before = change.before, let after = change.after else { continue }
      let repaired = DeviceApp.Repaired(id: change.id, before: before, after: after)
      guard let text = state.app.simulation.judgeRepair(repaired, view) else { continue }
      checkers.report(Violation(.decision, at: now, on: state.name, text))
    }
  }
}
