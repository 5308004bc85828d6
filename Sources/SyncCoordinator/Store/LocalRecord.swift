import Records

/// What a device observed of one record: what its user made of it, and what the cloud last held.
///
/// What to send follows from the two, so that no list of work can be lost in a crash.
public struct LocalRecord: Hashable, Sendable {
  /// The record.
  public var recordID: RecordID
  /// The record's type, which never changes.
  public var recordType: Name
  /// What the user of this device sees; nil where they deleted the record.
  public var local: RecordContent?
  /// The version last seen on the cloud; nil where none was seen or the last thing seen was its deletion.
  public var server: ServerVersion?
  /// Counts all local changes of the device; every change of `local` gets the next number.
  public var revision: Int64
  /// Since when `local` differs from what the cloud holds, by the device's wall clock; nil where it does not.
  public var pendingSince: WallTime?
  /// What was sent without an answer so far: the cloud may hold it or not.
  public var sent: SentVersion?
  /// Why the record is not sent although it is pending; nil where nothing keeps it back.
  public var quarantine: String?
  /// The number of the last full fetch of the zone that met the record; see `ZoneState.sweep`.
  public var sweep: Int64

  /// A record with nothing sent and nothing wrong.
  public init(
    recordID: RecordID, recordType: Name, local: RecordContent?, server: ServerVersion? = nil, revision: Int64 = 0,
    pendingSince: WallTime? = nil, sent: SentVersion? = nil, quarantine: String? = nil, sweep: Int64 = 0
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.local = local
    self.server = server
    self.revision = revision
    self.pendingSince = pendingSince
    self.sent = sent
    self.quarantine = quarantine
    self.sweep = sweep
  }

  /// Whether the cloud does not hold what the user sees, or may hold what the user deleted before it was ever confirmed.
  public var isPending: Bool { local != server?.content || (local == nil && server == nil && sent != nil) }
}

/// What a device sent last of a record.
public enum SentVersion: Hashable, Sendable {
  case saved(RecordContent)
  case deleted
}
