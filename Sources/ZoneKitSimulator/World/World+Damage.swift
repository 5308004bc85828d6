import ZoneKitCloud
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitScenarios
import ZoneKitSync

/// Damage to what the cloud and devices have stored, and its consequences for the checkers.
extension World {
  /// Makes a record of the cloud not match its checksum. Returns false if the cloud does not have it.
  package mutating func damage(_ id: RecordID, of account: Name) -> Bool {
    endCloudTurn(life: cloud.life)
    guard cloud.process.zones.store.damage(id.recordName, in: key(id.zoneID, of: account)) else { return false }
    note(.cloud, .fault, "\(id.words) is damaged")
    return true
  }

  /// A copy of a zone's file; nil if there is no such zone.
  package mutating func copy(of zone: ZoneID, of account: Name) -> MemoryZoneStore.ZoneCopy? {
    endCloudTurn(life: cloud.life)
    return cloud.process.zones.store.copy(of: key(zone, of: account))
  }

  /// Replaces a zone's file by a copy.
  package mutating func restore(_ copy: MemoryZoneStore.ZoneCopy, as zone: ZoneID, of account: Name) {
    endCloudTurn(life: cloud.life)
    let key = key(zone, of: account)
    note(.cloud, .fault, "zone \(zone.words) is restored")
    damaging(key) { $0.restore(copy, as: key, using: &$1) }
  }

  /// A copy of everything that the cloud has stored.
  package mutating func copyOfCloud() -> MemoryZoneStore {
    endCloudTurn(life: cloud.life)
    return cloud.process.zones.store
  }

  /// Ends the cloud's process, replaces everything that it has stored by a copy, and starts the process if it was running.
  package mutating func restoreCloud(_ copy: MemoryZoneStore) {
    endCloudTurn(life: cloud.life)
    whileCloudIsStopped { world in
      world.note(.cloud, .fault, "the whole disk is restored")
      let keys = world.cloud.process.zones.store.zoneKeys.union(copy.zoneKeys).sorted()
      world.damaging(keys) { store, _ in store.restore(copy) }
    }
  }

  /// Kills the cloud's process, tears at most that many of the last commits off a zone's file, and starts the process
  /// if it was running.
  package mutating func loseCommits(_ count: Int, of zone: ZoneID, of account: Name) {
    let key = key(zone, of: account)
    whileCloudIsStopped { world in
      world.note(.cloud, .fault, "zone \(zone.words) loses \(count.counted("commit"))")
      world.damaging(key) { $0.loseCommits(count, of: key, using: &$1) }
    }
  }

  /// Kills the cloud's process, rebuilds damaged zones, and starts the process if it was running.
  package mutating func repairCloud() {
    whileCloudIsStopped { world in
      world.note(.cloud, .step, "repaired")
      for key in world.cloud.process.zones.store.damagedZones {
        world.damaging(key) { $0.repair(key, using: &$1) }
      }
    }
  }

  /// Makes the change tokens on a device's disk unreadable for the cloud. The device's process is ended before that, and
  /// started afterwards if it was running.
  package mutating func damageTokens(_ kind: TokenKind, of device: Int) throws(StoreError) {
    let isRunning = devices[device].isRunning
    kill(device)
    // The cloud's answer to such a token does not say whether the zone lost commits.
    check(device) { $0.model.excuseOffers() }
    note(.device(device), .fault, "the \(kind.rawValue) can no longer be read")
    let damage = try DeviceTransition(
      damaging: kind, in: devices[device].store, scope: devices[device].app.configuration.traits.scope)
    try changeDisk(device) { (disk) throws(StoreError) in try disk.commit(damage) }
    if isRunning { start(device) }
  }

  private func key(_ zone: ZoneID, of account: Name) -> ZoneKey {
    ZoneKey(database: database(of: account), zoneName: zone.zoneName)
  }

  private mutating func whileCloudIsStopped(_ change: (inout World) -> Void) {
    let wasRunning = cloud.isRunning
    killCloud()
    change(&self)
    if wasRunning { startCloud() }
  }

  private mutating func damaging(_ key: ZoneKey, _ change: (inout MemoryZoneStore, inout SplitMix64) -> Void) {
    damaging([key], change)
  }

  /// Changes the content of zones. Tells the checkers which versions are lost.
  private mutating func damaging(_ keys: [ZoneKey], _ change: (inout MemoryZoneStore, inout SplitMix64) -> Void) {
    let before = keys.map { cloud.process.zones.store.content(of: $0) }
    change(&cloud.process.zones.store, &cloud.generator)
    for (key, before) in zip(keys, before) { noteLosses(in: key, since: before) }
  }

  private mutating func noteLosses(in key: ZoneKey, since before: [Name: StoredRecord]) {
    let after = cloud.process.zones.store.content(of: key)
    let account = key.database.user
    var lost: [RecordKey: RecordContent?] = [:]
    for name in Set(before.keys).union(after.keys).sorted() where before[name] != after[name] {
      let id = RecordID(recordName: name, zoneID: ZoneID(zoneName: key.zoneName))
      let version = before[name].flatMap { $0.isDeleted ? nil : RecordContent(fields: $0.fields, parent: $0.parent) }
      lost.updateValue(version, forKey: RecordKey(account: account, id: id))
    }
    guard !lost.isEmpty else { return }
    let holders = devices.map(\.snapshot).filter { device in
      // A device without a token does not learn that the zone lost commits.
      device.account == account
        && device.zones.contains { $0.zoneID.zoneName == key.zoneName && $0.token != nil && !$0.isInFullFetch }
    }
    check(account) { checkers in
      checkers.model.cloudLost(lost, of: account, zone: key.zoneName) { key, version in
        holders.contains { device in
          guard let record = (try? device.store.record(key.id)) ?? nil else { return false }
          return record.local == version || record.server?.content == version
        }
      }
      checkers.zoneGoesOn(key.zoneName, of: account, with: lost.keys.map(\.id).sorted())
    }
  }
}
