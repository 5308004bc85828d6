import ZoneKitRecords

/// The progress of sending in one sync.
package struct SendProgress: Hashable, Sendable {
  /// The most operations of a request. It is halved when the cloud reports that a batch is too large.
  package private(set) var batchLimit: Int
  private let fullLimit: Int
  /// Whether nothing more is sent in this sync.
  package private(set) var isDone = false
  /// The records that waited for others and were released. Each is released once per sync, because the cloud may refuse it
  /// again.
  package private(set) var released: Set<RecordID> = []
  /// The zones to which nothing more is sent.
  package private(set) var heldZones: Set<ZoneID> = []
  /// The number of rounds in each zone in which a record was looked up again.
  private var rounds: [ZoneID: Int] = [:]
  /// The records that were looked up.
  private var lookedUp: Set<RecordID> = []

  /// The progress at the start of a sync, with that limit of operations.
  package init(batchLimit: Int = ModifyRecords.operationLimit) {
    fullLimit = min(max(batchLimit, 1), ModifyRecords.operationLimit)
    self.batchLimit = fullLimit
  }

  /// Ends sending for this sync.
  package mutating func stop() { isDone = true }

  /// Ends sending to one zone for this sync.
  package mutating func hold(_ zoneID: ZoneID) { heldZones.insert(zoneID) }

  /// Records that waited for others were released.
  package mutating func released(_ records: [RecordID]) { released.formUnion(records) }

  /// The cloud lost records. Those that are offered again may be what others wait for.
  package mutating func recordsWereLost() { released = [] }

  /// The cloud refused a batch of `count` operations as too large. Returns whether a smaller batch is tried; for a
  /// single operation size is not the cause.
  package mutating func refused(_ count: Int) -> Bool {
    batchLimit = count > 1 ? max(1, count / 2) : fullLimit
    return count > 1
  }

  /// Records were looked up. A new round begins if one of them was looked up before.
  package mutating func lookedUp(_ names: [Name], in zoneID: ZoneID) {
    let ids = names.map { RecordID(recordName: $0, zoneID: zoneID) }
    if !lookedUp.isDisjoint(with: ids) { rounds[zoneID, default: 0] += 1 }
    lookedUp.formUnion(ids)
  }

  /// Whether the same records of a zone were looked up so often that two devices that write at the same time would keep
  /// each other busy.
  package func isOver(_ zoneID: ZoneID, rounds limit: Int) -> Bool { rounds[zoneID, default: 0] >= limit }
}
