import ZoneKitRecords
import ZoneKitSync

extension DeviceFile {
  /// The coordinator's values. Keys that a different version of this program wrote are ignored.
  package func values() throws(StoreError) -> [DeviceKey: DeviceValue] {
    var values: [DeviceKey: DeviceValue] = [:]
    try statements.values.visit { row in
      guard let key = DeviceKey(rawValue: row.text(0)) else { return true }
      values[key] = value(row)
      return true
    }
    return values
  }

  /// The value in a row of the table of values.
  func value(_ row: Row) -> DeviceValue { row.isInteger(1) ? .integer(row.integer(1)) : .text(row.text(1)) }

  package func zones() throws(StoreError) -> [ZoneState] {
    try statements.zones.all { row in
      ZoneState(
        zoneID: row.zoneID(0), token: row.optionalText(2).map { ChangeToken($0) }, tokenAt: row.optionalTime(3),
        isStale: row.flag(4), fullFetches: row.integer(5), isInFullFetch: row.flag(6),
        isAfterLoss: row.integer(6) == 2,
        acknowledged: (row.optionalText(7).flatMap { try? JSON(parsing: Array($0.utf8)).array } ?? [])
          .compactMap { $0.string.map { ChangeTag($0) } })
    }
  }

  package func record(_ recordID: RecordID) throws(StoreError) -> LocalRecord? {
    let zoneID = recordID.zoneID
    return try statements.record.first(
      .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text), .text(recordID.recordName.text)
    ) { row throws(StoreError) in try record(row) }
  }

  package func contains(_ recordID: RecordID) throws(StoreError) -> Bool {
    let zoneID = recordID.zoneID
    return try statements.contains.first(
      .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text), .text(recordID.recordName.text)
    ) { _ in true } ?? false
  }

  package func records(ofType recordType: Name) throws(StoreError) -> [LocalRecord] {
    try statements.recordsOfType.all(.text(recordType.text)) { row throws(StoreError) in try record(row) }
  }

  package func records(in zoneID: ZoneID, metBefore fullFetch: Int64) throws(StoreError) -> [LocalRecord] {
    try statements.recordsMetBefore.all(
      .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text), .integer(fullFetch)
    ) { row throws(StoreError) in try record(row) }
  }

  /// The versions that the device has of the records of a zone which it shows as it got them, and the records that it does not:
  /// edited, deleted and refused ones, and those that no sync brought.
  package func versions(in zoneID: ZoneID) throws(StoreError) -> (synced: [SyncedVersion], others: [LocalRecord]) {
    let (zone, owner) = (zoneID.zoneName.text, zoneID.owner.recordName.text)
    let synced = try statements.synced.all(.text(zone), .text(owner)) { row in
      SyncedVersion(recordName: Name(row.text(0)), changeTag: ChangeTag(row.text(1)), modifiedAt: row.time(2))
    }
    return (
      synced, try statements.unsynced.all(.text(zone), .text(owner)) { row throws(StoreError) in try record(row) }
    )
  }

  package func pending(in zoneID: ZoneID?, after revision: Int64, limit: Int) throws(StoreError) -> [LocalRecord] {
    guard let zoneID else {
      return try statements.pending.all(.integer(revision), .integer(Int64(limit))) { row throws(StoreError) in
        try record(row)
      }
    }
    return try statements.pendingInZone.all(
      .integer(revision), .integer(Int64(limit)), .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text)
    ) { row throws(StoreError) in try record(row) }
  }

  package func pending(
    ofType recordType: Name, after revision: Int64, limit: Int
  ) throws(StoreError) -> [LocalRecord] {
    try statements.pendingOfType.all(.integer(revision), .integer(Int64(limit)), .text(recordType.text)) {
      row throws(StoreError) in try record(row)
    }
  }

  package func quarantined(limit: Int) throws(StoreError) -> [LocalRecord] {
    try statements.quarantined.all(.integer(Int64(limit))) { row throws(StoreError) in try record(row) }
  }

  package func waiting() throws(StoreError) -> [DeviceCensus.Waiting] {
    try statements.waitingCounts.all { row in
      DeviceCensus.Waiting(recordType: Name(row.text(0)), count: Int(row.integer(1)))
    }
  }

  package func census() throws(StoreError) -> DeviceCensus {
    var census = DeviceCensus()
    census.counts = try statements.counts.all { row in
      DeviceCensus.Count(zoneID: row.zoneID(0), recordType: Name(row.text(2)), count: Int(row.integer(3)))
    }
    try statements.pendingCount.visit { row in
      census.pending = Int(row.integer(0))
      census.oldestPendingAt = row.optionalTime(1)
      return true
    }
    try statements.quarantinedCount.visit { row in
      census.quarantined = Int(row.integer(0))
      return true
    }
    return census
  }

  package func isKnown(notificationID: String) throws(StoreError) -> Bool {
    try statements.isKnown.first(.text(notificationID)) { _ in true } ?? false
  }

  package func conflicts(limit: Int) throws(StoreError) -> [ConflictEntry] {
    try statements.conflicts.all(.integer(Int64(limit))) { row throws(StoreError) in
      guard let winner = ConflictEntry.Winner(rawValue: row.text(6)) else {
        throw StoreError(.corrupt, "a conflict has the unknown winner \(row.text(6))", place: path)
      }
      return ConflictEntry(
        id: row.text(0), recordID: row.recordID(1), recordType: Name(row.text(4)), at: row.time(5), winner: winner,
        rule: row.text(7), local: row.content(8), server: row.content(10), serverDeviceID: row.optionalText(12),
        decidedBy: row.text(13))
    }
  }

  package func traces(limit: Int) throws(StoreError) -> [ChangeTrace] {
    try statements.traces.all(.integer(Int64(limit))) { row in
      ChangeTrace(
        recordID: row.recordID(0), changeTag: ChangeTag(row.text(3)), deviceID: row.text(4), committedAt: row.time(5),
        notifiedAt: row.optionalTime(6), receivedAt: row.optionalTime(7), fetchedAt: row.time(8),
        mergedAt: row.time(9))
    }
  }

  private func record(_ row: Row) throws(StoreError) -> LocalRecord {
    LocalRecord(
      recordID: row.recordID(0), recordType: Name(row.text(3)), local: row.content(4),
      server: serverVersion(row),
      revision: row.integer(12), pendingSince: row.optionalTime(13), sent: sentVersion(row),
      unanswered: (row.optionalText(19) ?? "").split(separator: " ").map(String.init),
      quarantine: row.optionalText(17).map(Quarantine.init(text:)), fullFetch: row.integer(18))
  }

  /// The version of the server. Its content is stored only if it is another one than the local content.
  private func serverVersion(_ row: Row) -> ServerVersion? {
    guard !row.isNull(8), let content = row.content(6) ?? row.content(4) else { return nil }
    let author = Author(userRecordName: Name(row.text(10)), deviceID: row.text(11))
    return ServerVersion(
      content: content, changeTag: ChangeTag(row.text(8)), modified: Authorship(at: row.time(9), author: author))
  }

  private func sentVersion(_ row: Row) -> SentVersion? {
    row.flag(16) ? .deleted : row.content(14).map { .saved($0) }
  }
}

extension Row {
  /// A zone ID from two adjacent columns: zone and owner.
  fileprivate func zoneID(_ column: Int32) -> ZoneID {
    ZoneID(zoneName: Name(text(column)), owner: ZoneOwner(recordName: Name(text(column + 1))))
  }

  /// A record ID from three adjacent columns: zone, owner and name.
  fileprivate func recordID(_ column: Int32) -> RecordID {
    RecordID(recordName: Name(text(column + 2)), zoneID: zoneID(column))
  }

  /// A record's content from two adjacent columns, fields and parent; nil if the fields are null.
  fileprivate func content(_ column: Int32) -> RecordContent? {
    guard !isNull(column) else { return nil }
    return RecordContent(
      fields: EncodedFields(canonical: Array(utf8(column))), parent: optionalText(column + 1).map { Name($0) })
  }
}
