import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitSync

/// The running app. It reads the store when it is used first after a launch of the process, a change of the account or a
/// failure of the store, and is notified of changed records afterwards.
extension DeviceProcess {
  /// Something that the user does in the app.
  package typealias Deed<Outcome> = (inout any RunningApp, AppView, inout Generator) throws(AppRefusal) -> Outcome

  /// What the app answers to its user at that time of the wall clock. Throws if the app refuses, or if the store cannot be
  /// read.
  package mutating func ask<Outcome>(at wall: WallTime, _ deed: Deed<Outcome>) throws(AppRefusal) -> Outcome {
    let view = view(at: wall)
    var running: any RunningApp
    do throws(StoreError) { running = try launched(view) } catch { throw AppRefusal("\(error)") }
    defer { self.running = running }
    return try deed(&running, view, &generator)
  }

  /// The app's answer to a command.
  package mutating func answer(to line: String, at wall: WallTime) throws(AppRefusal) -> AppAnswer {
    try ask(at: wall) { app, view, generator throws(AppRefusal) in
      try app.perform(line, in: view, using: &generator)
    }
  }

  /// What users read of the device's syncing in one line, if those are its diagnostics.
  package func syncLine(_ diagnostics: DeviceDiagnostics, at wall: WallTime) -> SyncStatus.Indicator {
    var facts = SyncStatus.Facts()
    let error = diagnostics.fetch.lastResult.flatMap { $0 == "ok" ? nil : $0 }
    facts.isSyncing = coordinator.isSyncing
    facts.hasSession = diagnostics.user != nil && diagnostics.state != .signedOut
    facts.needsUpdate = error?.hasPrefix(CloudErrorCode.incompatibleVersion.rawValue) ?? false
    facts.error = error
    facts.isOnline = hasLink
    facts.refused = diagnostics.send.quarantined.count
    // What is set aside waits for the user and not to be sent.
    facts.pending = max(0, diagnostics.send.pending - facts.refused)
    facts.lastSync = diagnostics.fetch.lastSucceededAt
    return SyncStatus.Indicator(lineOf: facts, at: wall)
  }

  /// What the running app shows otherwise than a new launch would, as a sentence; nil if both show the same. Throws if the
  /// store cannot be read.
  package func staleness(at wall: WallTime) throws(StoreError) -> String? {
    try running?.staleness(in: view(at: wall))
  }

  /// The running app, which is launched if there is none. The caller keeps it in `running` after using it.
  private mutating func launched(_ view: AppView) throws(StoreError) -> any RunningApp {
    if let running = running.take() { return running }
    return try app.launch(view)
  }

  /// The app shows those records anew. An app for which the store cannot be read now reads all of it when it is used next.
  mutating func refresh(_ records: [RecordID], at wall: WallTime) {
    guard !records.isEmpty, var running = running.take() else { return }
    do throws(StoreError) {
      try running.refresh(records, from: view(at: wall))
      self.running = running
    } catch {
      add([.tell(.storeFailed(error))])
    }
  }

  /// The edit with which the app's rules repair what is in the store; nil if there is nothing to repair.
  mutating func repair(at wall: WallTime) -> DeviceEffect? {
    let view = view(at: wall)
    do throws(StoreError) {
      var running = try launched(view)
      defer { self.running = running }
      let edits = try running.repairs(in: view)
      return edits.isEmpty ? nil : .edit(DeviceEdit(cause: .repair, edits: edits))
    } catch {
      return .storeFailed(error)
    }
  }
}
