import ZoneKitRecords

/// Edits of the app.
extension Ledger {
  /// Stores the app's edits and changes of its own values, all or none, and requests a sync that sends the edits. Returns
  /// nil if these change nothing; then nothing is stamped or sent, and only the values are written. Throws if the store
  /// fails, or if an edit names another type than the record has, which can never change; then nothing has changed.
  mutating func edit(
    _ edits: [RecordEdit], setting appValues: [AppValueChange] = [], at now: Moment
  ) throws(StoreError) -> [Effect]? {
    var effects: [Effect] = []
    var draft = draft(at: now)
    var clock = StampClock(last: memory.time(.lastStamp), offset: memory.integer(.clockOffset))
    let shared = try sharedStamp(for: edits, draft, clock: &clock, at: now)
    var count = 0
    for edit in edits {
      guard let record = try edited(by: edit, in: &draft, shared, clock: &clock, at: now, &effects) else {
        continue
      }
      var changed = record
      changed.revision = draft.memory.nextRevision()
      changed.quarantine = nil
      draft.put(changed)
      count += 1
      if record.recordID.zoneID == .defaultZone {
        effects.append(.fact(.defaultZoneIsSilent(record.recordID)))
      }
    }
    draft.appValues = appValues
    guard count > 0 else {
      try commit(draft)
      return nil
    }
    draft.memory.set(.lastStamp, clock.last)
    // Before the write: a disk may keep the edits and then fail, and they have to be sent.
    gate.request(.localChange, now: now.monotonic)
    try commit(draft)
    return effects
  }

  /// The record after an edit; nil if the edit changes nothing.
  private func edited(
    by edit: RecordEdit, in draft: inout DeviceDraft, _ shared: StampClock.Stamp?, clock: inout StampClock,
    at now: Moment, _ effects: inout [Effect]
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
      guard changes(known, to: fields, parent, stamping) else { return nil }
      let names = stampedFields(stamping)
      if !names.isEmpty {
        let old = stamp(of: known)
        let stamp = shared ?? clock.stamp(replacing: old, wall: now.wall)
        if stamp.isSuspicious { effects.append(.fact(.farFutureStamp(recordID, old ?? stamp.time))) }
        for name in names { fields[name] = .timestamp(stamp.time) }
        if let stampParts = configuration.merging.stampParts {
          fields = stampParts(fields, try? known?.local?.fields.decoded(), stamp.time)
        }
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
    guard let field = configuration.merging.stampField, let fields = try? record?.local?.fields.decoded(),
      case .timestamp(let time)? = fields[field]
    else { return nil }
    return time
  }

  /// The fields that the coordinator sets to an edit's stamp.
  private func stampedFields(_ stamping: RecordEdit.Stamping) -> [Name] {
    guard let field = configuration.merging.stampField else { return [] }
    return switch stamping {
    case .now: [field]
    case .nowAlso(let others): [field] + others
    case .asGiven: []
    }
  }

  /// Whether a save changes a record: whether it differs from the present version if it had that one's stamp.
  private func changes(
    _ known: LocalRecord?, to fields: Fields, _ parent: Name?, _ stamping: RecordEdit.Stamping
  ) -> Bool {
    var fields = fields
    let names = stampedFields(stamping)
    let old = names.isEmpty ? nil : stamp(of: known)
    for name in names { fields[name] = old.map { .timestamp($0) } }
    return known?.local != RecordContent(fields: EncodedFields(fields), parent: parent)
  }

  /// The stamp of all edits of a command, if they get the same one; nil if each gets its own, or none gets one.
  private func sharedStamp(
    for edits: [RecordEdit], _ draft: DeviceDraft, clock: inout StampClock, at now: Moment
  ) throws(StoreError) -> StampClock.Stamp? {
    guard configuration.merging.stamping == .together else { return nil }
    var replaced: [WallTime?] = []
    for case .save(let recordID, _, let fields, let parent, let stamping) in edits {
      guard !stampedFields(stamping).isEmpty else { continue }
      let known = try draft.record(recordID, in: store)
      if changes(known, to: fields, parent, stamping) { replaced.append(stamp(of: known)) }
    }
    return replaced.isEmpty ? nil : clock.stamp(replacing: replaced.compactMap { $0 }.max(), wall: now.wall)
  }
}
