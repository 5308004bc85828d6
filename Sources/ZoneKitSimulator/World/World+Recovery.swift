import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSync

/// The recovery at the end of a random story.
extension World {
  /// Ends all faults: links work, disks have room, the cloud and all devices are running and online, and the first
  /// devices are signed in to those accounts, nil for none. If `restarting`, every device's process is restarted.
  package mutating func recover(accounts: [Name?], restarting: Bool) {
    note(.cloud, .step, "healing")
    cloud.process.faults.removeAll()
    crashCloud(at: nil)
    setCloudDisk(.all, isFull: false)
    setCloudDisk(isBroken: false)
    if !cloud.process.zones.store.damagedZones.isEmpty { repairCloud() }
    startCloud()
    for device in devices.indices {
      pushFaults[device].removeAll()
      setLink(device, Link())
      crash(device, at: nil)
      changeDisk(device) { disk in
        disk.faults = []
        disk.isFull = false
        disk.readError = nil
      }
      setLowPower(device, false)
      // A full disk may have kept the coordinator from storing the account.
      let known = [devices[device].account, devices[device].coordinator.account]
      if !devices[device].hasTables, accounts.indices.contains(device),
        known.contains(where: { $0 != accounts[device] })
      {
        signIn(device, accounts[device])
      }
      setOnline(device, true)
      if restarting { kill(device) }
      start(device)
      guard devices[device].hasTables else { continue }
      devices[device].wantedAccount = accounts.indices.contains(device) ? accounts[device] : devices[device].account
      signInAsWanted(device)
    }
  }

  /// Opens the app as its user and requests a sync, as a user does after freeing storage in the cloud.
  mutating func look(at device: Int) {
    foreground(device)
    sync(device)
  }

  /// Whether all device IDs are different.
  var deviceIDsDiffer: Bool { Set(devices.map(\.coordinator.deviceID)).count == devices.count }

  /// Whether no request is in progress and no change waits that could be sent.
  package var isAtRest: Bool {
    devices.allSatisfy { device in
      guard device.isRunning, device.isSignedInAsWanted, device.coordinator.isIdle, device.link?.photos.isDone != false,
        let census = try? device.store.census()
      else { return false }
      return census.pending == census.quarantined
    }
  }

  /// The content of all records of an account in the cloud, including the journal's zone.
  package mutating func picture(ofCloudFor account: Name, zones: [ZoneID]) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in zones {
      for record in held(zone, of: account) {
        let (id, content) = seen(record, in: zone, of: account)
        picture[id] = content
      }
    }
    return picture
  }

  /// The content of all records on a device. A record in quarantine was refused for a reason; if `hidesRefused`, the
  /// cloud's version is used for it.
  package func picture(of device: Int, zones: [ZoneID], hidesRefused: Bool = false) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in zones {
      // A store that cannot be read counts as empty, which the comparison reports.
      for record in (try? devices[device].store.records(in: zone, metBefore: .max)) ?? [] {
        let isHidden = hidesRefused && record.quarantine != nil
        if let content = isHidden ? record.server?.content : record.local { picture[record.recordID] = content }
      }
    }
    return picture
  }
}
