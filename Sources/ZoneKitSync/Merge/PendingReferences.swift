import ZoneKitRecords

/// Records that came before one that they refer to: the user does not see them until that is there too.
///
/// The coordinator keeps them back and not the app's view, because only the coordinator knows whether the feed has more to
/// bring. All of them are in the store; which ones wait follows from it and is found again after a crash.
struct PendingReferences: Hashable, Sendable {
  /// For each record that waits the names that it waits for.
  private var missing: [RecordID: [Name]] = [:]
  /// For each awaited record those that wait for it, in the order in which they came.
  private var waiting: [RecordID: [RecordID]] = [:]

  /// Whether no record waits.
  var isEmpty: Bool { missing.isEmpty }

  /// The records that wait, ascending.
  var records: [RecordID] { missing.keys.sorted() }

  func contains(_ recordID: RecordID) -> Bool { missing[recordID] != nil }

  /// Keeps a record back until the records of those names, of its own zone, are there.
  mutating func keep(_ recordID: RecordID, until names: [Name]) {
    forget(recordID)
    missing[recordID] = names
    for name in names { waiting[RecordID(recordName: name, zoneID: recordID.zoneID), default: []].append(recordID) }
  }

  /// A record is there and does not wait: those that wait for nothing else any more come out, and those that wait for them.
  mutating func arrived(_ recordID: RecordID) -> [RecordID] {
    var released: [RecordID] = []
    var arrivals = [recordID]
    var next = 0
    while next < arrivals.count, !missing.isEmpty {
      let arrival = arrivals[next]
      next += 1
      for child in waiting.removeValue(forKey: arrival) ?? [] {
        missing[child]?.removeAll { $0 == arrival.recordName }
        guard missing[child] == [] else { continue }
        missing[child] = nil
        released.append(child)
        arrivals.append(child)
      }
    }
    return released
  }

  /// A record is gone, or shown.
  mutating func forget(_ recordID: RecordID) {
    for name in missing.removeValue(forKey: recordID) ?? [] {
      waiting[RecordID(recordName: name, zoneID: recordID.zoneID)]?.removeAll { $0 == recordID }
    }
  }

  /// Takes out all of a zone, each with a name that did not come, ascending.
  mutating func end(_ zoneID: ZoneID) -> [(RecordID, missing: Name)] {
    guard !missing.isEmpty else { return [] }
    var ended: [(RecordID, missing: Name)] = []
    for recordID in records where recordID.zoneID == zoneID {
      guard let name = missing[recordID]?.first else { continue }
      ended.append((recordID, name))
      missing[recordID] = nil
    }
    // Not record by record: thousands may wait for one.
    waiting = waiting.filter { $0.key.zoneID != zoneID }
    return ended
  }
}

extension PendingReferences {
  /// The records that wait in zones whose feeds are read in part.
  init(recalledFrom store: some DeviceStore, zones: [ZoneState]) throws(StoreError) {
    for zone in zones where zone.isStale || zone.isInFullFetch {
      let records = try store.records(in: zone.zoneID, metBefore: .max)
      for record in records where record.server != nil {
        guard let content = record.local else { continue }
        let names = ReferenceTargets.names(in: content, of: record.recordID)
        if !names.isEmpty { keep(record.recordID, until: names) }
      }
      // All that refer to others were kept back; what is there and refers to nothing lets them out again.
      for recordID in records.map(\.recordID).filter({ !contains($0) }) { _ = arrived(recordID) }
    }
  }
}
