import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// The log of one device that a test writes by hand, and the checker that reads it as it is written.
struct LogFeed<Checker: DeviceChecker> {
  var checker: Checker
  /// The device as it is now.
  var device = DeviceSnapshot(name: "A")
  private var history = DeviceHistory()
  private var milliseconds: Int64 = 0
  private var lastRequest: UInt64 = 0

  init(_ checker: Checker) {
    self.checker = checker
    device.deviceID = "device-a"
    device.account = "nanny"
  }

  /// The time since the beginning.
  var now: MonotonicTime { MonotonicTime(milliseconds: milliseconds) }

  /// The device's wall clock.
  var wall: WallTime { WallTime(milliseconds: 1_800_000_000_000 + milliseconds) }

  /// Lets that many milliseconds pass.
  mutating func wait(_ span: Int64) { milliseconds += span }

  /// Writes an event; returns the invariant that the checker finds broken.
  @discardableResult
  mutating func add(_ event: LogEvent) -> Violation.Rule? {
    let entry = LogEntry(event, on: device, at: Moment(wall: wall, monotonic: now))
    history.take(entry)
    guard !LogEventKinds(of: event).isDisjoint(with: Checker.reads) else { return nil }
    return checker.take(entry, history)?.rule
  }

  /// Writes several events; returns the invariants that the checker finds broken.
  @discardableResult
  mutating func add(_ events: [LogEvent]) -> [Violation.Rule] { events.compactMap { add($0) } }

  /// A process starts, without a sync.
  mutating func start() {
    add([.processStarting, .fact(.launched(account: "nanny", deviceID: "device-a")), .processStarted])
  }

  /// Sends a request alone; returns the invariant that the checker finds broken.
  @discardableResult
  mutating func send(_ request: CloudRequest) -> Violation.Rule? {
    lastRequest += 1
    return add(.request(RequestID(number: lastRequest), request, isAlone: true))
  }

  /// Answers the last request.
  @discardableResult
  mutating func answer(_ response: CloudResponse) -> Violation.Rule? {
    add(.answer(RequestID(number: lastRequest), .success(response)))
  }

  /// Begins a sync.
  @discardableResult
  mutating func begin(_ reasons: SyncReasons) -> Violation.Rule? { add(.fact(.syncStarted(reasons))) }

  /// Ends a sync well.
  @discardableResult
  mutating func finish(_ reasons: SyncReasons) -> Violation.Rule? {
    add(.fact(.syncFinished(reasons, records: 0, pages: 0)))
  }

  /// Puts a record on the device's disk.
  mutating func keep(_ record: LocalRecord) throws { try device.store.commit(DeviceTransition(records: [record])) }

  /// Puts a value on the device's disk.
  mutating func keep(_ key: DeviceKey, _ value: DeviceValue?) throws {
    try device.store.commit(DeviceTransition(values: [ValueChange(key, value)]))
  }
}

/// Things of which logs in tests are made.
enum Sample {
  static let zone = ZoneID(zoneName: "Items")
  static let id = RecordID(recordName: "i1", zoneID: zone)
  static let databaseFetch = CloudRequest.fetchDatabaseChanges(since: nil, limit: 10)
  static let zoneFetch = CloudRequest.fetchZoneChanges([ZoneChangesQuery(zoneID: zone, token: nil)])

  static func content(_ text: String, stamp: WallTime? = nil) -> RecordContent {
    var fields = Fields()
    fields["title"] = .string(text)
    if let stamp { fields["updatedAt"] = .timestamp(stamp) }
    return RecordContent(fields: EncodedFields(fields))
  }

  static func save(_ names: Name...) -> CloudRequest {
    let operations = names.map { RecordOperation(.update, recordName: $0, recordType: "Item") }
    return .modifyRecords(ModifyRecords(zoneID: zone, operations: operations, isAtomic: false))
  }

  static func record(_ name: Name) -> Record {
    let author = Authorship(at: WallTime(milliseconds: 1), author: Author(userRecordName: "_u", deviceID: "b"))
    return Record(
      recordName: name, recordType: "Item", fields: EncodedFields(Fields()), changeTag: ChangeTag("1"),
      created: author, modified: author)
  }

  static func failed(_ name: Name, _ code: CloudErrorCode) -> RecordResult { .failed(name, CloudError(code, "no")) }

  static func waiting(_ content: RecordContent) -> LocalRecord {
    LocalRecord(
      recordID: id, recordType: "Item", local: content, revision: 1, pendingSince: WallTime(milliseconds: 1),
      sent: .saved(content))
  }

  static func configuration(_ change: (inout CoordinatorConfiguration) -> Void = { _ in }) -> CoordinatorConfiguration {
    var configuration = ItemsApp.app.configuration
    change(&configuration)
    return configuration
  }
}
