import ZoneKitRecords

/// Records that arrived before a record to which they refer. The user does not see them until that record has arrived.
///
/// The coordinator holds them back and not the app's view, because only the coordinator knows whether the feed has more
/// pages. All of them are in the store. Which ones wait is derived from it again after a crash.
///
/// A draft works on a copy, and thousands may wait. So changes go to a layer of their own, and a copy shares the rest with
/// its original; `settle` joins the two where no draft is open.
struct PendingReferences: Sendable {
  /// What one record waits for.
  private struct Wait: Sendable {
    /// The names that it waits for; none where it does not wait any more.
    var names: [Name]
    /// Counts the waits in the order in which they began.
    var number: Int
  }

  /// A record that waited for another one when that was noted; only where its wait still has this number it may do so.
  private struct Waiter: Sendable {
    var recordID: RecordID
    var number: Int
  }

  private struct Layer: Sendable {
    var waits: [RecordID: Wait] = [:]
    /// For each awaited record those that wait for it, in the order in which they came.
    var waiters: [RecordID: [Waiter]] = [:]
  }

  private var settled = Layer()
  /// What changed since `settle`; its waits replace those of `settled`, its waiters come behind them.
  private var recent = Layer()
  private var count = 0
  private var lastNumber = 0

  /// Whether no record waits.
  var isEmpty: Bool { count == 0 }

  /// The waiting records, in ascending order.
  var records: [RecordID] {
    settled.waits.merging(recent.waits) { $1 }.filter { !$0.value.names.isEmpty }.map(\.key).sorted()
  }

  /// How many records the next draft has to copy if it changes anything.
  var unsettledCount: Int { recent.waits.count }

  /// Whether that record waits.
  func contains(_ recordID: RecordID) -> Bool { wait(of: recordID) != nil }

  /// Joins the layers. To be called where nobody else holds a copy: then it costs no more than what changed.
  mutating func settle() {
    guard !isEmpty else { return self = PendingReferences() }
    for recordID in recent.waits.keys.sorted() { settled.waits[recordID] = recent.waits[recordID] }
    for target in recent.waiters.keys.sorted() {
      settled.waiters[target, default: []] += recent.waiters[target] ?? []
    }
    recent = Layer()
  }

  /// Holds a record back until the records of those names in its zone have arrived.
  mutating func keep(_ recordID: RecordID, until names: [Name]) {
    lastNumber += 1
    set(Wait(names: names, number: lastNumber), of: recordID)
    for name in names {
      let target = RecordID(recordName: name, zoneID: recordID.zoneID)
      recent.waiters[target, default: []].append(Waiter(recordID: recordID, number: lastNumber))
    }
  }

  /// A record is present and does not wait. Removes and returns the records that wait for nothing else any more, and
  /// those that wait for these.
  mutating func arrived(_ recordID: RecordID) -> [RecordID] {
    var released: [RecordID] = []
    var arrivals = [recordID]
    var next = 0
    while next < arrivals.count, !isEmpty {
      let arrival = arrivals[next]
      next += 1
      let waiters = (settled.waiters[arrival] ?? []) + (recent.waiters[arrival] ?? [])
      for waiter in waiters {
        let child = waiter.recordID
        guard var wait = wait(of: child), wait.number == waiter.number else { continue }
        wait.names.removeAll { $0 == arrival.recordName }
        set(wait, of: child)
        guard wait.names.isEmpty else { continue }
        released.append(child)
        arrivals.append(child)
      }
    }
    return released
  }

  /// Removes a record that was deleted or shown.
  mutating func forget(_ recordID: RecordID) {
    if contains(recordID) { set(Wait(names: [], number: 0), of: recordID) }
  }

  /// Removes all records of a zone. Returns each with a missing name, in ascending order.
  mutating func end(_ zoneID: ZoneID) -> [(RecordID, missing: Name)] {
    guard !isEmpty else { return [] }
    var ended: [(RecordID, missing: Name)] = []
    for recordID in records where recordID.zoneID == zoneID {
      guard let name = wait(of: recordID)?.names.first else { continue }
      ended.append((recordID, name))
      forget(recordID)
    }
    return ended
  }

  private func wait(of recordID: RecordID) -> Wait? {
    guard let wait = recent.waits[recordID] ?? settled.waits[recordID] else { return nil }
    return wait.names.isEmpty ? nil : wait
  }

  private mutating func set(_ wait: Wait, of recordID: RecordID) {
    count += (wait.names.isEmpty ? 0 : 1) - (contains(recordID) ? 1 : 0)
    recent.waits[recordID] = wait
  }
}

extension PendingReferences {
  /// Derives the waiting records from the store, for zones whose feeds were partly read.
  init(recalledFrom store: some DeviceStore, zones: [ZoneState]) throws(StoreError) {
    for zone in zones where zone.isStale || zone.isInFullFetch {
      let records = try store.records(in: zone.zoneID, metBefore: .max)
      for record in records where record.server != nil {
        guard let content = record.local else { continue }
        let names = ReferenceTargets.names(in: content, of: record.recordID)
        if !names.isEmpty { keep(record.recordID, until: names) }
      }
      // All records with references were added. Those that are present and have no references release them again.
      for recordID in records.map(\.recordID).filter({ !contains($0) }) { _ = arrived(recordID) }
    }
  }
}
