import ZoneKitScenarios
import ZoneKitRecords
import ZoneKitSync

/// What the ending of a random story does and looks at.
extension World {
  /// Ends all faults: links work, disks have room, the cloud and all devices run and are online, and the first devices are
  /// signed in to those accounts, nil for none. Where `restarting`, every device's process is started anew.
  package mutating func recover(accounts: [Name?], restarting: Bool) {
    note(.cloud, .step, "healing")
    cloud.faults.removeAll()
    crashCloud(at: nil)
    setCloudDisk(isFull: false)
    startCloud()
    for device in devices.indices {
      pushFaults[device].rules = []
      setLink(device, Link())
      crash(device, at: nil)
      changeDisk(device) { disk in
        disk.faults = []
        disk.isFull = false
        disk.readError = nil
      }
      setLowPower(device, false)
      // A full disk may have kept the coordinator from taking the account in.
      let known = [devices[device].account, devices[device].coordinator.account]
      if accounts.indices.contains(device), known.contains(where: { $0 != accounts[device] }) {
        signIn(device, accounts[device])
      }
      setOnline(device, true)
      if restarting { kill(device) }
      start(device)
    }
  }

  /// A user looks at their device, and asks for a sync: who made room in the cloud says so.
  mutating func look(at device: Int) {
    foreground(device)
    sync(device)
  }

  /// Whether every device has an ID of its own.
  var deviceIDsDiffer: Bool { Set(devices.map(\.coordinator.deviceID)).count == devices.count }

  /// Whether nothing is under way and nothing waits that could be sent.
  package var isAtRest: Bool {
    devices.allSatisfy { device in
      guard device.isRunning, device.coordinator.isIdle, let census = try? device.store.census() else { return false }
      return census.pending == census.quarantined
    }
  }

  /// What every record of an account is on the cloud, the journal's zone included, as lines that can be compared.
  package mutating func picture(ofCloudFor account: Name, zones: [ZoneID]) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in zones {
      for record in held(zone, of: account) {
        let parent = record.parent
        picture[RecordID(recordName: record.recordName, zoneID: zone)] = RecordContent(
          fields: record.fields, parent: parent)
      }
    }
    return picture
  }

  /// What every record is on a device.
  /// What is in quarantine is refused with its reason; where `hidesRefused`, it shows as the cloud has it.
  package func picture(of device: Int, zones: [ZoneID], hidesRefused: Bool = false) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in zones {
      // A store that cannot be read shows nothing, which the comparison then tells.
      for record in (try? devices[device].store.records(in: zone, metBefore: .max)) ?? [] {
        let isHidden = hidesRefused && record.quarantine != nil
        if let content = isHidden ? record.server?.content : record.local { picture[record.recordID] = content }
      }
    }
    return picture
  }
}
