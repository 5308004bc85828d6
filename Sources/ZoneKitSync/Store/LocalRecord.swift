import ZoneKitRecords

/// A device's observations of one record: the user's version, and the version that the cloud last had.
///
/// What to send is derived from the two, so that a crash cannot lose a list of work.
public struct LocalRecord: Hashable, Sendable {
  /// The record.
  public var recordID: RecordID
  /// The record's type. It never changes.
  public var recordType: Name
  /// The version of the user of this device; nil if they deleted the record.
  public var local: RecordContent?
  /// The version last seen in the cloud; nil if none was seen or it was deleted there.
  public var server: ServerVersion?
  /// The number of the record's last local change. Each change of `local` gets the device's next number.
  public var revision: Int64
  /// The time since which `local` differs from the cloud's version, by the device's wall clock; nil if it does not.
  public var pendingSince: WallTime?
  /// What was last sent, if there is no answer yet: the cloud may have it or not.
  public var sent: SentVersion?
  /// The hashes of versions that were sent earlier without an answer, or were refused, oldest first; at most
  /// `unansweredLimit`. With them the device recognises such a version as its own.
  public var unanswered: [String]
  /// Why the record is not sent although it is pending; nil if it may be sent.
  public var quarantine: Quarantine?
  /// The number of the zone's last full fetch that saw the record; see `ZoneState.fullFetches`.
  public var fullFetch: Int64

  /// A record without a sent version and without quarantine.
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

  /// The most unanswered versions that are remembered.
  static let unansweredLimit = 8

  /// A version is sent. An earlier unanswered version is remembered, without the field that does not count for the
  /// identity of versions.
  mutating func send(_ version: SentVersion, leavingOut ignored: Name? = nil) {
    if sent != version { remember(leavingOut: ignored) }
    sent = version
  }

  /// The cloud does not have the record any more, although nobody deleted it: it is sent again.
  mutating func offer() {
    server = nil
    sent = nil
    fullFetch = 0
  }

  /// The cloud answered what was sent with `version`, which it may have changed or kept instead. The user's version is
  /// replaced if it is still the one that was sent.
  mutating func settle(as version: ServerVersion) {
    if isAsSent { local = version.content }
    server = version
    sent = nil
    unanswered = []
  }

  /// The same for a cloud whose answer to a save is the record as it is then, with the fields that it fills in and those
  /// that others changed. What the user has changed since the save stays.
  mutating func rebase(on version: ServerVersion) {
    if !isAsSent, case .saved(let ancestor)? = sent, let edited = local, let mine = try? edited.fields.decoded(),
      let theirs = try? version.content.fields.decoded()
    {
      let base = try? ancestor.fields.decoded()
      let fields = FieldMerge.merge(local: mine, server: theirs, ancestor: base, winner: .local)
      local = RecordContent(fields: EncodedFields(fields), parent: edited.parent)
    }
    settle(as: version)
  }

  /// Whether the user has not changed the record since it was sent.
  var isAsSent: Bool { sent.map { $0 == SentVersion(local) } ?? !isPending }

  /// The cloud did not save what was sent. A second copy of the request may still be saved, so the content is still
  /// recognised as this device's own.
  mutating func takeBack(leavingOut ignored: Name? = nil) {
    remember(leavingOut: ignored)
    sent = nil
  }

  /// The cloud refused what was sent. If the user has changed the record since, the new version may be sent. Returns
  /// whether the record is in quarantine.
  mutating func refuse(_ reason: Quarantine, leavingOut ignored: Name? = nil) -> Bool {
    let isAsSent = sent == SentVersion(local)
    takeBack(leavingOut: ignored)
    if isAsSent { quarantine = reason }
    return isAsSent
  }

  private mutating func remember(leavingOut ignored: Name?) {
    guard case .saved(let content)? = sent, case let hash = content.hash(leavingOut: ignored), unanswered.last != hash
    else { return }
    unanswered = (unanswered + [hash]).suffix(Self.unansweredLimit)
  }

  /// Whether this device sent that content last and received no answer. One field need not be equal.
  func hasJustSent(_ content: RecordContent, leavingOut ignored: Name?) -> Bool {
    guard case .saved(let sent)? = sent else { return false }
    return sent == content || (ignored != nil && sent.leavingOut(ignored) == content.leavingOut(ignored))
  }

  /// Whether this device sent that content and received no answer. One field need not be equal.
  func hasSent(_ content: RecordContent, leavingOut ignored: Name?) -> Bool {
    hasJustSent(content, leavingOut: ignored) || unanswered.contains(content.hash(leavingOut: ignored))
  }

  /// Whether the cloud does not have the user's version, or may have a record that the user deleted before it was
  /// confirmed.
  public var isPending: Bool { local != server?.content || (local == nil && server == nil && sent != nil) }
}

/// The last thing that a device sent of a record.
public enum SentVersion: Hashable, Sendable {
  /// A save with that content.
  case saved(RecordContent)
  /// A deletion.
  case deleted

  /// The version to send for that content; a deletion if nil.
  package init(_ content: RecordContent?) { self = content.map { .saved($0) } ?? .deleted }
}

extension RecordContent {
  /// A hash of the content without one field, if it names one.
  fileprivate func hash(leavingOut field: Name?) -> String {
    ContentHash.of([leavingOut(field).fields.utf8, Array((parent?.text ?? "").utf8)])
  }
}
