import ZoneKitRecords

/// Keeps one device's store and the cloud in agreement: a machine that is handed what happens and says what to do.
///
/// It persists observations, never a list of work: what each record is here, what the cloud last held, how far the feeds
/// were read. What to send follows from them, so a crash at any line forgets nothing. At most one request is under way.
/// The cloud's data and the token that covers it are committed in one transition.
///
/// The ledger keeps and decides what no protocol knows; the conversation says what is asked of one kind of cloud in which
/// order; the coordinator runs one sync after the other.
public struct SyncCoordinator<Store: DeviceStore> {
  /// What the device keeps, and its rules.
  var ledger: Ledger<Store>
  /// What is asked of the cloud in which order.
  var conversation: any Conversation
  /// What the coordinator is in the middle of.
  var activity = Activity.idle(hasFinished: false)
  /// Whether the cloud can be asked.
  var availability = Availability()
  /// When a fetch comes by itself; nil before the first one.
  var fallbackDue: MonotonicTime?
  /// The number of the request that was asked last.
  var lastRequest: UInt64 = 0

  /// A coordinator over what a store holds. Throws where the store cannot be read.
  public init(store: Store, configuration: CoordinatorConfiguration) throws(StoreError) {
    ledger = try Ledger(store: store, configuration: configuration)
    conversation = configuration.conversation
  }

  /// Where the device keeps what it observed.
  public package(set) var store: Store {
    _read { yield ledger.store }
    _modify { yield &ledger.store }
  }

  /// What the app told the coordinator once.
  public var configuration: CoordinatorConfiguration { ledger.configuration }

  /// The account whose data the store holds; nil before the first launch and while signed out.
  public var account: Name? { ledger.memory.account }

  /// How the device names itself in its requests; empty before the first launch.
  public var deviceID: String { ledger.deviceID }

  /// The device's registered address with the push service; nil as long as there is none.
  public var pushToken: String? { ledger.pushToken }

  /// Records that the store holds and the user is not to see yet, ascending: they came before others that they refer to.
  /// Each is reported as a remote change when those are there, or when the feed ended without them. An app that builds its
  /// view from the store leaves them out.
  public var parked: [RecordID] { ledger.memory.pendingReferences.records }

  /// Whether nothing is under way and nobody wants a sync now.
  public var isIdle: Bool {
    if case .idle = activity { !ledger.gate.isWaiting && !ledger.gate.isSyncing } else { false }
  }

  /// When `tick` has something to do next; nil where only an event can change anything.
  public var nextDeadline: MonotonicTime? {
    if case .waiting(_, let request) = activity { return request.deadline }
    guard canSync else { return nil }
    return [ledger.gate.deadline, fallbackDue].compactMap { $0 }.min()
  }

  var canSync: Bool { availability.allowsSync && ledger.memory.account != nil }
}
