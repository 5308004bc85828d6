import ZoneKitRecords

/// The changes of one event in a device's store. They are committed all or not at all. They apply in the order of the
/// properties.
public struct DeviceTransition: Hashable, Sendable {
  /// What is removed before all other changes. The app's values are removed with the records unless `keepsAppValues` is
  /// set.
  public enum Erasure: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// All records and all zone states. Values, journal, notifications and traces are kept.
    case recordsAndZones
    /// Everything except the conflict journal.
    case allButJournal
    /// Everything.
    case everything
  }

  /// What is removed first.
  public var erasure: Erasure
  /// Whether an erasure leaves the app's values.
  public var keepsAppValues: Bool
  /// The zones to remove with their states and records.
  public var removedZones: [ZoneID]
  /// The zone states to write. Each replaces that of the same zone.
  public var zones: [ZoneState]
  /// The records to remove, if they exist.
  public var removedRecords: [RecordID]
  /// The records to write. Each replaces one of the same ID. IDs are unique.
  public var records: [LocalRecord]
  /// The values to set or remove. Keys are unique.
  public var values: [ValueChange]
  /// The values of the app to set or remove. Keys are unique.
  public var appValues: [AppValueChange]
  /// The notification IDs to add, oldest first. A known one is unchanged.
  public var notifications: [SeenNotification]
  /// The journal entries to add, oldest first. An entry whose ID the journal contains already is ignored.
  public var conflicts: [ConflictEntry]
  /// The traces to add, oldest first.
  public var traces: [ChangeTrace]
  /// The limits to which the three lists above are trimmed after the additions.
  public var bounds: Bounds

  /// The limits of the growing lists.
  public struct Bounds: Hashable, Sendable {
    /// The most notification IDs. Those added first are removed first.
    public var notifications: Int
    /// Notification IDs received before this time are removed too; nil keeps every age.
    public var notificationsSince: WallTime?
    /// The most journal entries. Those added first are removed first.
    public var conflicts: Int
    /// The most traces. Those added first are removed first.
    public var traces: Int

    /// The limits; by default 1,000 notification IDs, 10,000 conflicts and 100 traces.
    public init(
      notifications: Int = 1_000, notificationsSince: WallTime? = nil, conflicts: Int = 10_000, traces: Int = 100
    ) {
      self.notifications = notifications
      self.notificationsSince = notificationsSince
      self.conflicts = conflicts
      self.traces = traces
    }
  }

  /// A transition with these changes only.
  public init(erasure: Erasure = .nothing, records: [LocalRecord] = [], values: [ValueChange] = []) {
    self.erasure = erasure
    keepsAppValues = false
    appValues = []
    removedZones = []
    zones = []
    removedRecords = []
    self.records = records
    self.values = values
    notifications = []
    conflicts = []
    traces = []
    bounds = Bounds()
  }
}
