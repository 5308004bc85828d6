import ZoneKitRecords

/// How far one sync has come with sending.
struct SendProgress: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    case sending
    /// Records that waited for others were let go, which happens once in a sync.
    case released
    /// Nothing more is sent in this sync.
    case done
  }

  /// How many operations a request carries; halved when the cloud says that a batch is too large.
  private(set) var batchLimit: Int
  private let fullLimit: Int
  private var state = State.sending
  /// How often records were looked up again.
  private var rounds = 0
  /// The records that were looked up.
  private var lookedUp: Set<RecordID> = []

  /// Sending with at most that many operations in a request.
  init(batchLimit: Int = ModifyRecords.operationLimit) {
    fullLimit = min(max(batchLimit, 1), ModifyRecords.operationLimit)
    self.batchLimit = fullLimit
  }

  /// Whether nothing more is sent.
  var isDone: Bool { state == .done }

  /// Nothing more is sent in this sync.
  mutating func stop() { state = .done }

  /// Whether records that waited for others may be let go.
  var mayRelease: Bool { state == .sending }

  /// Records that waited for others were let go.
  mutating func released() { state = .released }

  /// The cloud refused a batch of that many operations as a whole. Returns whether a smaller one is to be tried; a single
  /// record that is refused is no matter of size.
  mutating func refused(_ count: Int) -> Bool {
    batchLimit = count > 1 ? max(1, count / 2) : fullLimit
    return count > 1
  }

  /// Records were looked up. It is another round where one of them was looked up before.
  mutating func lookedUp(_ names: [Name], in zoneID: ZoneID) {
    let ids = names.map { RecordID(recordName: $0, zoneID: zoneID) }
    if !lookedUp.isDisjoint(with: ids) { rounds += 1 }
    lookedUp.formUnion(ids)
  }

  /// Whether the same records were looked up so often that two devices that write in step would keep each other busy.
  func isOver(rounds limit: Int) -> Bool { rounds >= limit }
}
