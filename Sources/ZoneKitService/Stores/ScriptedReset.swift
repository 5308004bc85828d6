import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// Empties stores between tests, in such a way that no other device misses a change.
package struct ScriptedReset {
  /// What the reset empties.
  package let target: ResetTarget
  private let data: DataDirectory

  /// A reset of that target. Throws an input error that lists the known devices or zones if the target does not exist.
  package init(_ target: ResetTarget, in data: DataDirectory) throws(StoresError) {
    try StateSwap(data: data).finishInterrupted()
    self.target = target
    self.data = data
    _ = try plan()
  }

  /// What the reset would remove. Servers and devices may be running.
  package func plan() throws(StoresError) -> ResetPlan {
    var plan = ResetPlan(zones: try erasure?.plan() ?? [], devices: try devices.map(devicePlan))
    plan.tables = try erasure?.tables() ?? []
    return plan
  }

  /// Makes a backup unless none is wanted, empties the stores, and returns what was removed and the path of the backup. A
  /// device that runs resets itself, if the reset is about that device alone. Otherwise throws with the owner's process ID if
  /// a process uses one of the stores.
  ///
  /// Each zone and each device is emptied in one transaction. The cloud is emptied before the devices, which would
  /// otherwise fetch the same records again.
  package func perform(
    backingUp: Bool, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(StoresError) -> (plan: ResetPlan, backup: String?) {
    let devices = try devices
    if let running = try runningDevice() { return try perform(on: running, backingUp: backingUp) }
    let folders = try devices.map { (name) throws(StoresError) in try data.existingDevice(name) }
    return try HeldFolders.holding((erasure == nil ? [] : [data.cloud]) + folders) { () throws(StoresError) in
      let backup = backingUp ? try backUp(devices, at: now) : nil
      var plan = ResetPlan(zones: [], devices: try devices.map(devicePlan))
      plan.tables = try erasure?.tables() ?? []
      plan.zones = try erasure?.perform(at: now, using: &generator) ?? []
      try erasure?.removeTables()
      for folder in folders { try resetDevice(in: folder, at: now, using: &generator) }
      return (plan, backup)
    }
  }

  /// The same in the process of the device, which empties its store with `reset`.
  func perform(
    backingUp: Bool, at now: WallTime, _ reset: () throws(StoreError) -> Void
  ) throws(StoresError) -> (plan: ResetPlan, backup: String?) {
    let devices = try devices
    let backup = backingUp ? try backUp(devices, at: now) : nil
    let plan = ResetPlan(zones: [], devices: try devices.map(devicePlan))
    try StoresError.from(reset)
    return (plan, backup)
  }

  /// The control socket of the device that is to be reset; nil if the reset is about more, or if the device does not run.
  private func runningDevice() throws(StoresError) -> Address? {
    switch target {
    case .local(let device, _), .tokens(let device):
      return ControlClient.address(ofDeviceIn: try data.existingDevice(device))
    case .cloud, .all: return nil
    }
  }

  private func perform(
    on device: Address, backingUp: Bool
  ) throws(StoresError) -> (plan: ResetPlan, backup: String?) {
    let question = ControlSocket.Question.reset(target.storeReset, backingUp: backingUp)
    let answer: JSON
    do throws(ServiceError) {
      answer = try ControlClient.ask(question.json, at: device, within: StandingAside.patience)
    } catch {
      throw .unavailable("\(error)")
    }
    guard let done = ResetAnswer(answer) else {
      throw .unavailable(
        "\(target.name ?? "the device") does not reset itself: \(answer["error"]?.string ?? answer.text())")
    }
    return (ResetPlan(zones: [], devices: [done.plan]), done.backup)
  }

  private func backUp(_ devices: [String], at now: WallTime) throws(StoresError) -> String {
    let name = target.name.map { "-\(FileName.file(Name($0)))" } ?? ""
    return try StateCopy(parent: data.backups).make(
      "\(now.fileStamp)-\(target.word)\(name)", of: data, devices: devices, withCloud: erasure != nil)
  }

  // MARK: The cloud

  private var erasure: CloudErasure? {
    switch target {
    case .local, .tokens: nil
    case .cloud(let filter): CloudErasure(filter: filter, data: data)
    case .all: Folder.exists(data.cloud) ? CloudErasure(filter: ZoneFilter(), data: data) : nil
    }
  }

  // MARK: Devices

  /// Resets one device. Its device ID is kept. The next launch fetches and compares everything.
  private func resetDevice(
    in folder: String, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) throws(StoresError) {
    let moment = Moment(wall: now, monotonic: MonotonicTime(milliseconds: 0))
    do throws(StoreError) {
      var coordinator = try SyncCoordinator(
        store: try DeviceFile(folder: folder),
        // A reset merges nothing, so the merge policy is not used.
        configuration: CoordinatorConfiguration(
          mergePolicy: MergePolicy { _ in Resolution(.adoptServer, rule: "reset") }))
      _ = try coordinator.reset(target.storeReset, at: moment, using: &generator)
    } catch {
      throw StoresError(error)
    }
  }

  private var devices: [String] {
    get throws(StoresError) {
      switch target {
      case .local(let device, _), .tokens(let device): [device]
      case .cloud: []
      case .all: try data.knownDevices()
      }
    }
  }

  private func devicePlan(_ name: String) throws(StoresError) -> DevicePlan {
    let folder = try data.existingDevice(name)
    return try StoresError.from { () throws(StoreError) in try DevicePlan(reading: folder, name: name) }
  }
}
