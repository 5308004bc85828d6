import ZoneKitRecords
import ZoneKitSync

extension MemoryDeviceStore {
  /// The content of the disk, with the indexes and sums that queries need. Each transition updates them.
  struct Disk: Sendable {
    /// The position of a record among those that wait to be sent.
    struct Place: Sendable {
      var revision: Int64
      var recordID: RecordID
      var since: WallTime

      func comesBefore(_ other: Place) -> Bool {
        revision == other.revision ? recordID < other.recordID : revision < other.revision
      }
    }

    private(set) var values: [DeviceKey: DeviceValue] = [:]
    /// The app's values. Keys are names, because texts with equal characters and different bytes are different keys.
    private(set) var appValues: [Name: DeviceValue] = [:]
    private(set) var zones: [ZoneID: ZoneState] = [:]
    private(set) var records: [ZoneID: ZoneRecords] = [:]
    /// The records with `pendingSince`, in ascending order of revision and ID.
    private(set) var pending: [Place] = []
    /// The records of each type with `pendingSince` that are not in quarantine, in ascending order of revision and ID.
    /// There are no empty lists.
    private var waiting: [Name: [Place]] = [:]
    /// The records in quarantine, in ascending order.
    private(set) var quarantined: [RecordID] = []
    private(set) var conflicts = RecentList<ConflictEntry>()
    private(set) var traces = RecentList<ChangeTrace>()
    private(set) var knownNotifications: Set<Name> = []
    private var notifications = RecentList<SeenNotification>()
    /// The earliest reception time of the notifications; a lower bound.
    private var oldestNotification: WallTime?
    private var knownConflicts: Set<Name> = []

    /// The zones with records, in ascending order.
    var recordZones: [(zoneID: ZoneID, records: ZoneRecords)] {
      records.keys.sorted().compactMap { zoneID in records[zoneID].map { (zoneID, $0) } }
    }

    /// The types with records that wait to be sent, in ascending order.
    var waitingTypes: [Name] { waiting.keys.sorted() }

    /// The records of a type that wait to be sent, in ascending order of revision and ID.
    func waiting(ofType recordType: Name) -> [Place] { waiting[recordType] ?? [] }

    func record(_ recordID: RecordID) -> LocalRecord? { records[recordID.zoneID]?.records[recordID.recordName] }

    mutating func apply(_ transition: DeviceTransition) {
      erase(transition.erasure)
      if transition.erasure != .nothing, !transition.keepsAppValues { appValues = [:] }
      for zoneID in transition.removedZones { remove(zoneID) }
      for zone in transition.zones { zones[zone.zoneID] = zone }
      for recordID in transition.removedRecords { replace(recordID, with: nil) }
      for record in transition.records { replace(record.recordID, with: record) }
      for change in transition.values { values[change.key] = change.value }
      for change in transition.appValues { appValues[Name(change.key)] = change.value }
      insertLists(of: transition)
      trim(transition.bounds)
    }

    private mutating func erase(_ erasure: DeviceTransition.Erasure) {
      guard erasure != .nothing else { return }
      records = [:]
      pending = []
      waiting = [:]
      quarantined = []
      zones = [:]
      guard erasure != .recordsAndZones else { return }
      values = [:]
      notifications = RecentList()
      knownNotifications = []
      oldestNotification = nil
      traces = RecentList()
      guard erasure == .everything else { return }
      conflicts = RecentList()
      knownConflicts = []
    }

    private mutating func remove(_ zoneID: ZoneID) {
      zones[zoneID] = nil
      guard records.removeValue(forKey: zoneID) != nil else { return }
      pending.removeAll { $0.recordID.zoneID == zoneID }
      waiting = waiting.mapValues { $0.filter { $0.recordID.zoneID != zoneID } }.filter { !$0.value.isEmpty }
      quarantined.removeAll { $0.zoneID == zoneID }
    }

    private mutating func replace(_ recordID: RecordID, with record: LocalRecord?) {
      let before = records[recordID.zoneID, default: ZoneRecords()].replace(recordID.recordName, with: record)
      if records[recordID.zoneID]?.names.isEmpty == true { records[recordID.zoneID] = nil }
      if let place = before?.pendingPlace { pending.remove(at: pending.place { $0.comesBefore(place) }) }
      if let place = record?.pendingPlace { pending.insert(place, at: pending.place { $0.comesBefore(place) }) }
      if let before { wait(before, isWaiting: false) }
      if let record { wait(record, isWaiting: true) }
      let wasHeld = before?.quarantine != nil
      let isHeld = record?.quarantine != nil
      guard wasHeld != isHeld else { return }
      let place = quarantined.place { $0 < recordID }
      if isHeld { quarantined.insert(recordID, at: place) } else { quarantined.remove(at: place) }
    }

    /// Adds a record to those that wait to be sent or removes it, if it is one that waits.
    private mutating func wait(_ record: LocalRecord, isWaiting: Bool) {
      guard record.quarantine == nil, let place = record.pendingPlace else { return }
      var places = waiting.removeValue(forKey: record.recordType) ?? []
      let index = places.place { $0.comesBefore(place) }
      if isWaiting { places.insert(place, at: index) } else { places.remove(at: index) }
      if !places.isEmpty { waiting[record.recordType] = places }
    }

    private mutating func insertLists(of transition: DeviceTransition) {
      for seen in transition.notifications where knownNotifications.insert(Name(seen.notificationID)).inserted {
        notifications.append(seen)
        oldestNotification = oldestNotification.map { min($0, seen.receivedAt) } ?? seen.receivedAt
      }
      for entry in transition.conflicts where knownConflicts.insert(Name(entry.id)).inserted {
        conflicts.append(entry)
      }
      for trace in transition.traces { traces.append(trace) }
    }

    private mutating func trim(_ bounds: DeviceTransition.Bounds) {
      if let since = bounds.notificationsSince, let oldest = oldestNotification, oldest < since {
        for seen in notifications.elements where seen.receivedAt < since {
          knownNotifications.remove(Name(seen.notificationID))
        }
        notifications.removeAll { $0.receivedAt < since }
        oldestNotification = notifications.elements.lazy.map(\.receivedAt).min()
      }
      for seen in notifications.keepNewest(bounds.notifications) {
        knownNotifications.remove(Name(seen.notificationID))
      }
      for entry in conflicts.keepNewest(bounds.conflicts) { knownConflicts.remove(Name(entry.id)) }
      _ = traces.keepNewest(bounds.traces)
    }
  }
}

extension LocalRecord {
  fileprivate var pendingPlace: MemoryDeviceStore.Disk.Place? {
    pendingSince.map { MemoryDeviceStore.Disk.Place(revision: revision, recordID: recordID, since: $0) }
  }
}
