import ZoneKitRecords

/// What one event changes in a device's store; all of it or nothing is kept. The parts apply in the order they stand in.
public struct DeviceTransition: Hashable, Sendable {
  /// What goes away before anything else happens.
  public enum Erasure: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// All records and all zone states; values, journal, notifications and traces stay.
    case recordsAndZones
    /// Everything but the conflict journal.
    case allButJournal
    /// Everything.
    case everything
  }

  /// What goes away first.
  public var erasure: Erasure
  /// Zones whose state and records all go away.
  public var removedZones: [ZoneID]
  /// Zone states to put in, each in the place of one of the same zone.
  public var zones: [ZoneState]
  /// Records that go away; those that are not there count as gone.
  public var removedRecords: [RecordID]
  /// Records to put in, each in the place of one of the same ID; no ID comes twice.
  public var records: [LocalRecord]
  /// Values to set or remove, no key twice.
  public var values: [ValueChange]
  /// Notification IDs seen, oldest first; one that is known already stays as it was.
  public var notifications: [SeenNotification]
  /// Journal entries to insert, oldest first; one of an ID that the journal holds already is left out.
  public var conflicts: [ConflictEntry]
  /// Traces to insert, oldest first.
  public var traces: [ChangeTrace]
  /// What is kept of the three lists above after the inserts.
  public var bounds: Bounds

  /// How much of the growing lists is kept.
  public struct Bounds: Hashable, Sendable {
    /// The most notification IDs; those inserted first go first.
    public var notifications: Int
    /// Notification IDs received before this go too; nil keeps every age.
    public var notificationsSince: WallTime?
    /// The most journal entries; those inserted first go first.
    public var conflicts: Int
    /// The most traces; those inserted first go first.
    public var traces: Int

    /// Keeps what the product promises: 1,000 notification IDs, 10,000 conflicts, 100 traces.
    public init(
      notifications: Int = 1_000, notificationsSince: WallTime? = nil, conflicts: Int = 10_000, traces: Int = 100
    ) {
      self.notifications = notifications
      self.notificationsSince = notificationsSince
      self.conflicts = conflicts
      self.traces = traces
    }
  }

  /// A transition that changes nothing yet.
  public init(erasure: Erasure = .nothing, records: [LocalRecord] = [], values: [ValueChange] = []) {
    self.erasure = erasure
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
