import ZoneKitRecords

/// Edits of the app.
extension Ledger {
  /// Stores the app's edits, all or none, and requests a sync that sends them. Returns nil if they change nothing; then
  /// nothing is written, stamped or sent. Throws if the store fails, or if an edit names another type than the record
  /// has, which can never change; then nothing has changed.
  mutating func edit(_ edits: [RecordEdit], at now: Moment) throws(StoreError) -> [Effect]? {
    var effects: [Effect] = []
    var draft = draft(at: now)
    var clock = StampClock(last: memory.time(.lastStamp), offset: memory.integer(.clockOffset))
    var count = 0
    for edit in edits {
      guard let record = try edited(by: edit, in: &draft, clock: &clock, at: now, &effects) else { continue }
      var changed = record
      changed.revision = draft.memory.nextRevision()
      changed.quarantine = nil
      draft.put(changed)
      count += 1
      if record.recordID.zoneID == .defaultZone {
        effects.append(.fact(.defaultZoneIsSilent(record.recordID)))
      }
    }
    guard count > 0 else { return nil }
    draft.memory.set(.lastStamp, clock.last)
    // Before the write: a disk may keep the edits and then fail, and they have to be sent.
    gate.request(.localChange, now: now.monotonic)
    try commit(draft)
    return effects
  }

  /// The record after an edit; nil if the edit changes nothing.
  private func edited(
    by edit: RecordEdit, in draft: inout DeviceDraft, clock: inout StampClock, at now: Moment, _ effects: inout [Effect]
  ) throws(StoreError) -> LocalRecord? {
    let known = try draft.record(edit.recordID, in: store)
    switch edit {
    case .delete:
      guard var record = known, record.local != nil else { return nil }
      record.local = nil
      return record
    case .repair(_, let type, let fields, let parent, let rule):
      let content = RecordContent(fields: EncodedFields(fields), parent: parent)
      guard var record = known, record.local != nil, record.local != content else { return nil }
      try check(type, of: record)
      let entry = journal(at: now).repaired(record, with: content, rule: rule)
      effects += try draft.publish(entry, in: configuration.reportZone, store: store)
      record.local = content
      return record
    case .save(let recordID, let type, var fields, let parent, let stamping):
      var record = known ?? LocalRecord(recordID: recordID, recordType: type, local: nil)
      try check(type, of: record)
      let stamped = configuration.stampField != nil && stamping == .now
      let old = stamped ? stamp(of: known) : nil
      if stamped { setStamp(old, in: &fields) }
      guard record.local != RecordContent(fields: EncodedFields(fields), parent: parent) else { return nil }
      if stamped {
        let stamp = clock.stamp(replacing: old, wall: now.wall)
        if stamp.isSuspicious { effects.append(.fact(.farFutureStamp(recordID, old ?? stamp.time))) }
        setStamp(stamp.time, in: &fields)
      }
      record.local = RecordContent(fields: EncodedFields(fields), parent: parent)
      return record
    }
  }

  private func check(_ type: Name, of record: LocalRecord) throws(StoreError) {
    guard type != record.recordType else { return }
    throw StoreError(
      .failed, "the record is of type \(record.recordType), which never changes; it cannot be saved as \(type)",
      place: "record \(record.recordID.recordName)")
  }

  /// The stamp of the version that an edit replaces; nil if its text cannot be read.
  private func stamp(of record: LocalRecord?) -> WallTime? {
    guard let field = configuration.stampField, let fields = try? record?.local?.fields.decoded(),
      case .timestamp(let time)? = fields[field]
    else { return nil }
    return time
  }

  private func setStamp(_ time: WallTime?, in fields: inout Fields) {
    guard let field = configuration.stampField else { return }
    fields[field] = time.map { .timestamp($0) }
  }
}
