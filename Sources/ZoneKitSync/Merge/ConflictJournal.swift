import ZoneKitRecords

/// Converts decisions of this device to entries of the journal, and to the records with which devices report them to
/// each other.
struct ConflictJournal {
  /// The device that decides.
  let deviceID: String
  /// When it decides, by its clock.
  let now: WallTime
  /// The field that is left out of the IDs of entries; nil if every field counts.
  var ignoredField: Name?

  /// The entry that the deciding device writes.
  func entry(for decision: MergeStep.Decision) -> ConflictEntry {
    let conflict = decision.conflict
    return ConflictEntry(
      id: ConflictRecord.id(of: conflict.recordID, conflict.local, conflict.server, leavingOut: ignoredField),
      recordID: conflict.recordID, recordType: conflict.recordType, at: now, winner: decision.winner,
      rule: decision.rule, local: conflict.local, server: conflict.server, serverDeviceID: decision.serverDeviceID,
      decidedBy: deviceID)
  }

  /// The entry for a version that one of the app's rules replaced. `server` is the replacement, so that devices that
  /// make the same repair write one entry.
  func repaired(_ record: LocalRecord, with content: RecordContent, rule: String) -> ConflictEntry {
    let conflict = Conflict(
      recordID: record.recordID, recordType: record.recordType, local: record.local, server: content, ancestor: nil)
    return entry(for: MergeStep.Decision(conflict: conflict, winner: .merged, rule: rule, serverDeviceID: nil))
  }

  /// The entry for an edit that is discarded without a decision, for example because its zone or account was removed.
  func discarded(_ record: LocalRecord, rule: String) -> ConflictEntry {
    let id = ConflictRecord.id(
      of: record.recordID, discarding: record.local, because: "\(rule) \(record.revision) \(deviceID)",
      leavingOut: ignoredField)
    return ConflictEntry(
      id: id, recordID: record.recordID, recordType: record.recordType, at: now, winner: .none, rule: rule,
      local: record.local, server: record.server?.content, serverDeviceID: record.server?.modified.author.deviceID,
      decidedBy: deviceID)
  }

  /// The rule of the entry for a deletion that met a loss in the cloud.
  static let deletionLost = "deletionLost"

  /// The entry for a deletion of a record that the cloud had lost before.
  func lostDeletion(of record: LocalRecord) -> ConflictEntry {
    var entry = discarded(record, rule: Self.deletionLost)
    if entry.server == nil, case .saved(let content)? = record.sent { entry.server = content }
    return entry
  }

  /// The record that reports an entry to other devices.
  static func record(for entry: ConflictEntry, in zoneID: ZoneID) -> LocalRecord {
    LocalRecord(
      recordID: RecordID(recordName: Name(entry.id), zoneID: zoneID), recordType: ConflictRecord.recordType,
      local: RecordContent(fields: EncodedFields(ConflictRecord.fields(of: entry))))
  }
}
