import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitStorage

/// Steps that damage or replace files of the server and of devices.
extension ProcessPlayer {
  func play(_ step: DamageStep) throws(ProcessFailure) {
    switch step {
    case .damageRecord(let record, let holder):
      let id = try id(of: record)
      let file = try file(of: id.zoneID.zoneName, holder)
      try attempt { () throws(StoreError) in try file.damage(id.recordName) }
    case .damagePhoto(let number, let holder):
      let account = try account(of: holder)
      let database = world.app(ofAccount: account).database(of: account)
      try attempt { () throws(StoreError) in try world.damagePhoto(number, in: database) }
    case .backUpZone(let zone, let holder):
      let file = try file(of: zone, holder)
      try attempt { () throws(StoreError) in try file.backUp() }
    case .restoreZone(let zone, let holder):
      let file = try file(of: zone, holder)
      try attempt { () throws(StoreError) in try file.restore(isInUse: world.server != nil) }
    case .loseCommits(let count, let zone, let holder):
      let file = try file(of: zone, holder)
      try whileServerIsStopped(atOnce: true) { () throws(ProcessFailure) in
        try attempt { () throws(StoreError) in try file.tearOff(commits: count) }
      }
    case .backUpCloud:
      try attempt { () throws(StoreError) in
        try Folder.remove(cloudCopy)
        try Backup.copyFolder(world.data.cloud, to: cloudCopy)
      }
    case .restoreCloud:
      guard Folder.exists(cloudCopy) else { throw .refused("the cloud was not backed up") }
      try whileServerIsStopped(atOnce: false) { () throws(ProcessFailure) in
        try attempt { () throws(StoreError) in
          try Folder.remove(world.data.cloud)
          try Backup.copyFolder(cloudCopy, to: world.data.cloud)
        }
      }
    case .repairCloud:
      try whileServerIsStopped(atOnce: false) { () throws(ProcessFailure) in try world.repairCloud() }
    case .damageTokens(let kind, let device): try world.damageTokens(kind, of: try world.device(device))
    }
  }

  /// The path of the copy of the cloud's folder.
  private var cloudCopy: String { world.data.root + "/cloud.copy" }

  private func whileServerIsStopped(
    atOnce: Bool, _ change: () throws(ProcessFailure) -> Void
  ) throws(ProcessFailure) {
    let wasRunning = world.server != nil
    if wasRunning { try world.stopServer(atOnce: atOnce) }
    try change()
    if wasRunning { try world.startServer() }
  }

  /// The file of a zone; of the app's own zone if the name is nil.
  private func file(of zone: String?, _ holder: Holder) throws(ProcessFailure) -> ZoneFileDamage {
    try file(of: try self.zone(zone).zoneName, holder)
  }

  private func file(of zone: Name, _ holder: Holder) throws(ProcessFailure) -> ZoneFileDamage {
    let account = try account(of: holder)
    let database = world.app(ofAccount: account).database(of: account)
    return ZoneFileDamage(of: zone, in: database, root: world.data.cloud)
  }

  private func attempt(_ change: () throws(StoreError) -> Void) throws(ProcessFailure) {
    do {
      try change()
    } catch {
      throw .refused("\(error)")
    }
  }
}
