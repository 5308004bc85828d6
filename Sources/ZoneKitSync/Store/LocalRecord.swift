import ZoneKitRecords

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
  /// The names of what was sent earlier without an answer, or was refused, oldest first, so that it is known as this device's own wherever
  /// it turns up; at most `unansweredLimit`.
  public var unanswered: [String]
  /// Why the record is not sent although it is pending; nil where nothing keeps it back.
  public var quarantine: Quarantine?
  /// The number of the last full fetch of the zone that met the record; see `ZoneState.fullFetches`.
  public var fullFetch: Int64

  /// A record with nothing sent and nothing wrong.
  public init(
    recordID: RecordID, recordType: Name, local: RecordContent?, server: ServerVersion? = nil, revision: Int64 = 0,
    pendingSince: WallTime? = nil, sent: SentVersion? = nil, unanswered: [String] = [], quarantine: Quarantine? = nil,
    fullFetch: Int64 = 0
  ) {
    self.recordID = recordID
    self.recordType = recordType
    self.local = local
    self.server = server
    self.revision = revision
    self.pendingSince = pendingSince
    self.sent = sent
    self.unanswered = unanswered
    self.quarantine = quarantine
    self.fullFetch = fullFetch
  }

  /// How many unanswered versions are remembered.
  static let unansweredLimit = 8

  /// Notes that a version goes out; what went before without an answer is remembered.
  mutating func send(_ version: SentVersion) {
    if sent != version { remember() }
    sent = version
  }

  /// Notes that the cloud did not take what was sent. A second copy of the request may still come to it and be taken, so
  /// that the content stays known as this device's own.
  mutating func takeBack() {
    remember()
    sent = nil
  }

  /// Notes that the cloud refused what was sent, and why. Where the user has changed it since it went, nothing is known
  /// against what it is now. Returns whether it is kept back.
  mutating func refuse(_ reason: Quarantine) -> Bool {
    let isAsSent = sent == SentVersion(local)
    takeBack()
    if isAsSent { quarantine = reason }
    return isAsSent
  }

  private mutating func remember() {
    guard case .saved(let content)? = sent, unanswered.last != content.hash else { return }
    unanswered = (unanswered + [content.hash]).suffix(Self.unansweredLimit)
  }

  /// Whether that is what this device sent without hearing back.
  func hasSent(_ content: RecordContent) -> Bool { sent == .saved(content) || unanswered.contains(content.hash) }

  /// Whether the cloud does not hold what the user sees, or may hold what the user deleted before it was ever confirmed.
  public var isPending: Bool { local != server?.content || (local == nil && server == nil && sent != nil) }
}

/// What a device sent last of a record.
public enum SentVersion: Hashable, Sendable {
  /// A save with that content.
  case saved(RecordContent)
  /// A deletion.
  case deleted

  /// What goes out of a record that is so, or is gone.
  package init(_ content: RecordContent?) { self = content.map { .saved($0) } ?? .deleted }
}

extension RecordContent {
  /// Names the content by its bytes.
  var hash: String { ContentHash.of([fields.utf8, Array((parent?.text ?? "").utf8)]) }
}
