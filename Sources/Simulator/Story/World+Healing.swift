import Records
import SyncCoordinator
import ZoneServer

/// How a story ends: all faults are over, everybody looks once, and then what must hold is looked at.
extension World {
  /// Ends all faults: links work, disks have room, processes run, everybody is online, signed in as at the beginning and in
  /// the foreground.
  package mutating func heal(_ cast: [Story.Cast]) {
    note(.cloud, .step, "healing")
    cloud.faults.removeAll()
    crashCloud(at: nil)
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
      if cast.indices.contains(device), devices[device].account != cast[device].account {
        signIn(device, cast[device].account)
      }
      setOnline(device, true)
      foreground(device)
    }
  }

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
  package func picture(of device: Int, zones: [ZoneID]) -> [RecordID: RecordContent] {
    var picture: [RecordID: RecordContent] = [:]
    for zone in zones {
      // A store that cannot be read shows nothing, which the comparison then tells.
      for record in (try? devices[device].store.records(in: zone, sweptBefore: .max)) ?? [] {
        if let local = record.local { picture[record.recordID] = local }
      }
    }
    return picture
  }
}
