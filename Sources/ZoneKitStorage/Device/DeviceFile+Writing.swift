import ZoneKitRecords
import ZoneKitSync

extension DeviceFile {
  /// Writes a transition in the open transaction. Its parts are written in the order that `DeviceTransition` documents.
  func write(_ transition: DeviceTransition) throws(StoreError) {
    try erase(transition.erasure, keepingAppValues: transition.keepsAppValues)
    for zoneID in transition.removedZones { try remove(zoneID) }
    for zone in transition.zones { try put(zone) }
    for recordID in transition.removedRecords { try remove(recordID) }
    for record in transition.records { try put(record) }
    for change in transition.values { try set(change.key.rawValue, to: change.value) }
    try apply(transition.appValues)
    for seen in transition.notifications {
      try statements.insertNotification.run(.text(seen.notificationID), .time(seen.receivedAt))
    }
    for entry in transition.conflicts { try insert(entry) }
    for trace in transition.traces { try insert(trace) }
    try trim(after: transition)
  }

  private func erase(
    _ erasure: DeviceTransition.Erasure, keepingAppValues: Bool
  ) throws(StoreError) {
    let (first, end) = Self.appValueKeys
    let ofApp = "key >= '\(first)' AND key < '\(end)'"
    let tables: [String] =
      switch erasure {
      case .nothing: []
      case .recordsAndZones: ["records", "zones"]
      case .allButJournal: ["records", "zones", "state", "notifications", "traces"]
      case .everything: ["records", "zones", "state", "notifications", "traces", "conflicts"]
      }
    for table in tables {
      let isState = table == "state"
      try connection.execute(
        "DELETE FROM \(table)"
          + (isState ? " WHERE key NOT IN ('\(Self.appKey)', '\(Self.appFileKey)') AND NOT (\(ofApp))" : ""))
    }
    if erasure != .nothing, !keepingAppValues { try connection.execute("DELETE FROM state WHERE \(ofApp)") }
  }

  private func remove(_ zoneID: ZoneID) throws(StoreError) {
    try statements.removeZone.run(.text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text))
    try statements.removeRecordsOfZone.run(.text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text))
  }

  private func put(_ zone: ZoneState) throws(StoreError) {
    try statements.putZone.run(
      .text(zone.zoneID.zoneName.text), .text(zone.zoneID.owner.recordName.text), .text(zone.token?.text),
      .time(zone.tokenAt), .flag(zone.isStale), .integer(zone.fullFetches),
      .integer(zone.isInFullFetch ? (zone.isAfterLoss ? 2 : 1) : 0),
      .text(zone.acknowledged.isEmpty ? nil : JSON.array(zone.acknowledged.map { .string($0.text) }).description))
  }

  private func remove(_ recordID: RecordID) throws(StoreError) {
    try statements.removeRecord.run(
      .text(recordID.zoneID.zoneName.text), .text(recordID.zoneID.owner.recordName.text),
      .text(recordID.recordName.text))
  }

  private func put(_ record: LocalRecord) throws(StoreError) {
    let zoneID = record.recordID.zoneID
    let server = record.server
    // Most records have the content that the server has, which is stored once.
    let other = server.flatMap { $0.content == record.local ? nil : $0.content }
    let (sent, isDeletionSent) = Self.columns(of: record.sent)
    try statements.putRecord.run(
      .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text), .text(record.recordID.recordName.text),
      .text(record.recordType.text), .fields(record.local), .parent(record.local), .fields(other), .parent(other),
      .text(server?.changeTag.text), .time(server?.modified.at),
      .text(server?.modified.author.userRecordName.text), .text(server?.modified.author.deviceID),
      .integer(record.revision), .time(record.pendingSince), .fields(sent), .parent(sent), .flag(isDeletionSent),
      .text(record.quarantine?.text), .integer(record.fullFetch),
      .text(record.unanswered.isEmpty ? nil : record.unanswered.joined(separator: " ")))
  }

  private static func columns(of sent: SentVersion?) -> (RecordContent?, Bool) {
    switch sent {
    case .saved(let content): (content, false)
    case .deleted: (nil, true)
    case nil: (nil, false)
    }
  }

  func set(_ key: String, to value: DeviceValue?) throws(StoreError) {
    let key = Statement.Value.text(key)
    switch value {
    case .text(let text): try statements.setValue.run(key, .text(text))
    case .integer(let integer): try statements.setValue.run(key, .integer(integer))
    case nil: try statements.removeValue.run(key)
    }
  }

  private func insert(_ entry: ConflictEntry) throws(StoreError) {
    let zoneID = entry.recordID.zoneID
    try statements.insertConflict.run(
      .text(entry.id), .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text),
      .text(entry.recordID.recordName.text), .text(entry.recordType.text), .time(entry.at),
      .text(entry.winner.rawValue), .text(entry.rule), .fields(entry.local), .parent(entry.local),
      .fields(entry.server), .parent(entry.server), .text(entry.serverDeviceID), .text(entry.decidedBy))
  }

  private func insert(_ trace: ChangeTrace) throws(StoreError) {
    let zoneID = trace.recordID.zoneID
    try statements.insertTrace.run(
      .text(zoneID.zoneName.text), .text(zoneID.owner.recordName.text), .text(trace.recordID.recordName.text),
      .text(trace.changeTag.text), .text(trace.deviceID), .time(trace.committedAt), .time(trace.notifiedAt),
      .time(trace.receivedAt), .time(trace.fetchedAt), .time(trace.mergedAt))
  }

  /// Trims the lists that grew; all lists if the bounds changed.
  private func trim(after transition: DeviceTransition) throws(StoreError) {
    let bounds = transition.bounds
    let isNew = bounds != appliedBounds
    if isNew || !transition.notifications.isEmpty {
      if let since = bounds.notificationsSince { try statements.forgetNotifications.run(.time(since)) }
      try statements.trimNotifications.run(.integer(Int64(bounds.notifications)))
    }
    if isNew || !transition.conflicts.isEmpty {
      try statements.trimConflicts.run(.integer(Int64(bounds.conflicts)))
    }
    if isNew || !transition.traces.isEmpty { try statements.trimTraces.run(.integer(Int64(bounds.traces))) }
  }
}

extension Statement.Value {
  fileprivate static func fields(_ content: RecordContent?) -> Statement.Value {
    content.map { .utf8($0.fields.utf8) } ?? .null
  }

  fileprivate static func parent(_ content: RecordContent?) -> Statement.Value { .text(content?.parent?.text) }
}
