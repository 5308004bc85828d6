import ZoneKitRecords

/// Synchronizes one device's store with the cloud. It is a machine: events go in, effects come out.
///
/// It persists observations and not a list of work: each record's local content, the version that the cloud last had,
/// and the positions in the feeds. What to send is derived from them, so a crash at any point loses nothing. At most
/// one request is pending. The cloud's data and the change token that covers it are committed in one transition.
///
/// The ledger contains what does not depend on the protocol. The conversation determines the requests and their order.
/// The coordinator runs one sync after another.
public struct SyncCoordinator<Store: DeviceStore> {
  /// The device's data and its rules.
  var ledger: Ledger<Store>
  /// The conversation with the cloud.
  var conversation: any Conversation
  /// The present activity.
  var activity = Activity.idle(hasFinished: false)
  /// Whether the cloud can be used.
  var availability = Availability()
  /// When a fetch starts without a trigger; nil before the first one.
  var fallbackDue: MonotonicTime?
  /// Whether the app is in the foreground. In the background nothing is fetched without a trigger.
  var isInForeground = true
  /// When the time for a background refresh is over; nil if none is under way.
  var refreshEnd: MonotonicTime?
  /// The number of the last request.
  var lastRequest: UInt64 = 0

  /// A coordinator over a store. Throws if the store cannot be read.
  public init(store: Store, configuration: CoordinatorConfiguration) throws(StoreError) {
    ledger = try Ledger(store: store, configuration: configuration)
    conversation = configuration.traits.conversation
  }

  /// The device's store.
  public package(set) var store: Store {
    _read { yield ledger.store }
    _modify { yield &ledger.store }
  }

  /// The app's settings.
  public var configuration: CoordinatorConfiguration { ledger.configuration }

  /// The account whose data the store holds; nil before the first launch and while signed out.
  public var account: Name? { ledger.memory.account }

  /// The device ID in requests; empty before the first launch.
  public var deviceID: String { ledger.deviceID }

  /// The registered push token; nil if there is none.
  public var pushToken: String? { ledger.pushToken }

  /// The records that are in the store and hidden from the user, in ascending order: they arrived before records to
  /// which they refer. Each is reported as a remote change when those have arrived, or when the feed was read to its
  /// end without them. An app that builds its view from the store leaves them out.
  public var hiddenRecords: [RecordID] { ledger.memory.pendingReferences.records }

  /// Whether no sync is running or requested.
  public var isIdle: Bool {
    if case .idle = activity { !ledger.gate.isWaiting && !ledger.gate.isSyncing } else { false }
  }

  /// When `tick` has something to do next; nil if only an event can change the state.
  public var nextDeadline: MonotonicTime? {
    if case .waiting(_, let request) = activity { return [request.deadline, refreshEnd].compactMap { $0 }.min() }
    guard canSync else { return refreshEnd }
    return [ledger.gate.deadline, isInForeground ? fallbackDue : nil, refreshEnd].compactMap { $0 }.min()
  }

  var canSync: Bool { availability.allowsSync && ledger.memory.account != nil }
}
