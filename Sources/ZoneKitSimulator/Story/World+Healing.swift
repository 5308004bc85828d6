import ZoneKitRecords
import ZoneKitSync

/// How a story ends: all faults are over, everybody looks once, and then what must hold is looked at.
extension World {
  /// Ends all faults: links work, disks have room, processes run, everybody is online, signed in as at the beginning and running; where `restarting`, started anew too.
  package mutating func heal(_ cast: [Story.Cast], restarting: Bool) {
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
      let accounts = [devices[device].account, devices[device].coordinator.account]
      if cast.indices.contains(device), accounts.contains(where: { $0 != cast[device].account }) {
        signIn(device, cast[device].account)
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

  /// Whether every device names itself otherwise in its requests.
  var namesDiffer: Bool { Set(devices.map(\.coordinator.deviceID)).count == devices.count }

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
