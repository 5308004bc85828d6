import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitService
import ZoneKitTables

/// The observable state of the devices and the cloud.
extension ProcessWorld {
  /// The device's part of the diagnostics dump: from its process if it runs, otherwise from its file.
  func status(of device: ProcessDevice) throws(ProcessFailure) -> JSON {
    if device.isRunning { return try say("status", to: device)["status"] ?? .null }
    let dump = try ProcessFailure.from { () throws(StoresError) in
      try DiagnosticsDump(
        of: data, device: device.name, version: "", at: SystemClock.wall)
    }
    return dump.document["devices"]?.array?.first ?? .null
  }

  /// The records that a device shows.
  func records(of device: ProcessDevice) throws(ProcessFailure) -> RecordView {
    try ProcessFailure.from { () throws(StoresError) in try RecordView(ofDevice: device.name, in: data, app: device.app)
    }
  }

  /// An app's records in the cloud of an account.
  func records(ofCloudFor account: String, of app: DeviceApp) throws(ProcessFailure) -> RecordView {
    let id = try id(ofAccount: account, of: app)
    return try ProcessFailure.from { () throws(StoresError) in
      try RecordView(ofCloud: data, account: id, app: app)
    }
  }

  /// The accounts that are signed in on devices, and the apps of these, in ascending order.
  var accounts: [(name: String, app: DeviceApp)] {
    let pairs = devices.compactMap { device in device.account.map { (name: $0, app: device.app) } }
    let distinct = Dictionary(pairs.map { ("\($0.name) \($0.app.name)", $0) }, uniquingKeysWith: { first, _ in first })
    return distinct.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The differences between the devices of an account and its cloud, and the changes left to send: one sentence each,
  /// none if they agree. Devices are read before the cloud, so that none is ahead of it.
  func disagreements(among devices: [ProcessDevice]) throws(ProcessFailure) -> [String] {
    var sentences: [String] = []
    for (account, app) in accounts {
      var views: [(name: String, view: RecordView)] = []
      for device in devices where device.account == account && device.app.name == app.name {
        views.append((device.name, try records(of: device)))
      }
      let cloud = try records(ofCloudFor: account, of: app)
      for (name, view) in views {
        if view.pending > 0 { sentences.append("\(name) has \(view.pending.counted("edit")) not sent") }
        // Devices hold no records of objects.
        let differences = view.differences(from: cloud).filter {
          !view.quarantined.contains($0) && $0.recordID.zoneID.zoneName != TableApp.objects
        }
        guard let first = differences.first else { continue }
        sentences.append(
          "\(name) and the cloud differ in \(differences.count.counted("record")), first "
            + "\(first.recordID.words)")
      }
    }
    return sentences
  }

  /// Waits until no device is fetching or sending, for at most two seconds. A device that fails repeatedly may never be
  /// idle.
  func rest() throws(ProcessFailure) {
    _ = try waiter.wait(atMost: 2_000) { () throws(ProcessFailure) in
      try !self.isAnyone(in: ["debouncing", "fetching", "sending"])
    }
  }

  /// Waits until no event was reported for one second and no device has work: a sync, a retry, or a first fetch after a
  /// new subscription or push token. Waits at most `time` milliseconds. Returns whether all became idle.
  func calmDown(atMost time: Int64) throws(ProcessFailure) -> Bool {
    let end = now.milliseconds + time
    while now.milliseconds < end {
      let marks = devices.map(\.mark)
      try waiter.pass(min(Self.calm, end - now.milliseconds))
      guard devices.map(\.mark) == marks else { continue }
      if try !isAnyone(in: ["debouncing", "fetching", "sending", "backingOff"]), try !isAnyoneNew() { return true }
    }
    return false
  }

  /// Whether a device that could fetch has not done so since it registered for pushes.
  private func isAnyoneNew() throws(ProcessFailure) -> Bool {
    for device in devices where device.isRunning && !device.isOffline && device.account != nil {
      let values = try ProcessFailure.from { () throws(StoresError) in try data.values(ofDevice: device.name) }
      if values[.unsettled] != nil { return true }
    }
    return false
  }

  private func isAnyone(in states: Set<String>) throws(ProcessFailure) -> Bool {
    for device in devices where device.isRunning {
      if states.contains(try status(of: device)["state"]?.string ?? "") { return true }
    }
    return false
  }

  /// Waits until all running devices that are online and signed in are idle and have nothing left to send.
  func settle(_ devices: [ProcessDevice]? = nil, atMost patience: Int64 = ProcessWorld.patience) throws(ProcessFailure)
  {
    for device in devices ?? self.devices where device.isRunning && !device.isOffline && device.account != nil {
      try until("\(device.name) is idle with a subscription and nothing to send", on: device, atMost: patience) {
        () throws(ProcessFailure) in
        let status = try self.status(of: device)
        return status["state"] == "idle" && status["send"]?["pending"]?.integer == 0 && self.hasPushes(device, status)
      }
    }
  }

  /// Whether a device with that status hears of changes.
  private func hasPushes(_ device: ProcessDevice, _ status: JSON) -> Bool {
    device.app.hasTables
      ? status["realtime"]?["state"] == "live"
      : status["subscription"]?["state"] == "active" || settings.deviceOptions.contains("--no-push")
  }

  /// The state of a device for its app.
  func view(of device: ProcessDevice) throws(ProcessFailure) -> AppView {
    let wall = SystemClock.wall.advanced(byMilliseconds: device.clock.offset(at: now))
    return try ProcessFailure.from { () throws(StoresError) in
      try data.view(ofDevice: device.name, at: device.standsAt ?? wall)
    }
  }
}
