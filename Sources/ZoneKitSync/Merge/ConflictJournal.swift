import ZoneKitRecords

/// Converts decisions to entries of the journal, and to records with which devices report them to each other.
///
/// Only the deciding device has both versions. So that the losing version can be found on the other device too, the
/// entry is written as a record. The record's name follows from the versions, so two devices that decide the same
/// conflict write one record.
enum ConflictJournal {
  /// The type of the records in the journal's zone.
  static let recordType: Name = "Conflict"
  /// The most bytes of versions in a journal record. CloudKit's limit for a record is about 1 MB.
  static let byteLimit = 700_000

  /// The entry that the deciding device writes.
  static func entry(for decision: MergeStep.Decision, at: WallTime, decidedBy: String) -> ConflictEntry {
    let conflict = decision.conflict
    return ConflictEntry(
      id: id(conflict), recordID: conflict.recordID, recordType: conflict.recordType, at: at, winner: decision.winner,
      rule: decision.rule, local: conflict.local, server: conflict.server, serverDeviceID: decision.serverDeviceID,
      decidedBy: decidedBy)
  }

  /// The entry for a version that one of the app's rules replaced. `server` is the replacement, so that devices that
  /// make the same repair write one entry.
  static func repaired(
    _ record: LocalRecord, with content: RecordContent, rule: String, at: WallTime, deviceID: String
  ) -> ConflictEntry {
    let conflict = Conflict(
      recordID: record.recordID, recordType: record.recordType, local: record.local, server: content, ancestor: nil)
    let decision = MergeStep.Decision(conflict: conflict, winner: .merged, rule: rule, serverDeviceID: nil)
    return entry(for: decision, at: at, decidedBy: deviceID)
  }

  /// The entry for an edit that is discarded without a decision, for example because its zone or account was removed.
  static func discarded(_ record: LocalRecord, rule: String, at: WallTime, deviceID: String) -> ConflictEntry {
    let parts = [bytes(record.recordID), bytes(record.local), Array("\(rule) \(record.revision) \(deviceID)".utf8)]
    return ConflictEntry(
      id: ContentHash.of(parts), recordID: record.recordID, recordType: record.recordType, at: at, winner: .none,
      rule: rule, local: record.local, server: record.server?.content,
      serverDeviceID: record.server?.modified.author.deviceID, decidedBy: deviceID)
  }

  /// The record that reports an entry to other devices.
  static func record(for entry: ConflictEntry, in zoneID: ZoneID) -> LocalRecord {
    let recordID = RecordID(recordName: Name(entry.id), zoneID: zoneID)
    return LocalRecord(
      recordID: recordID, recordType: recordType,
      local: RecordContent(fields: EncodedFields(fields(of: entry))))
  }

  /// The entry in a record from another device, from the view of this device; nil if the record contains none.
  static func entry(from record: Record, deviceID: String) -> ConflictEntry? {
    guard record.recordType == recordType, let fields = try? record.fields.decoded(),
      let zoneName = text("zone", of: fields), let name = text("record", of: fields),
      let winner = text("winner", of: fields).flatMap(ConflictEntry.Winner.init(rawValue:)),
      case .timestamp(let at)? = fields["decidedAt"]
    else { return nil }
    let zoneID = ZoneID(zoneName: Name(zoneName), owner: ZoneOwner(recordName: Name(text("owner", of: fields) ?? "")))
    let entry = ConflictEntry(
      id: record.recordName.text, recordID: RecordID(recordName: Name(name), zoneID: zoneID),
      recordType: Name(text("type", of: fields) ?? ""), at: at, winner: winner, rule: text("rule", of: fields) ?? "",
      local: content("decider", of: fields), server: content("server", of: fields),
      serverDeviceID: text("serverDevice", of: fields), decidedBy: text("decidedBy", of: fields) ?? "")
    return entry.serverDeviceID == deviceID && entry.decidedBy != deviceID ? turned(entry) : entry
  }

  /// The same entry from the view of the other side of the conflict.
  private static func turned(_ entry: ConflictEntry) -> ConflictEntry {
    var turned = entry
    (turned.local, turned.server) = (entry.server, entry.local)
    turned.serverDeviceID = entry.decidedBy
    switch entry.winner {
    case .local: turned.winner = .server
    case .server: turned.winner = .local
    case .merged, .none: break
    }
    return turned
  }

  private static func id(_ conflict: Conflict) -> String {
    let versions = [bytes(conflict.local), bytes(conflict.server)].sorted { $0.lexicographicallyPrecedes($1) }
    return ContentHash.of([bytes(conflict.recordID)] + versions)
  }

  private static func fields(of entry: ConflictEntry) -> Fields {
    var fields = Fields()
    let texts: [(Name, String?)] = [
      ("zone", entry.recordID.zoneID.zoneName.text), ("owner", entry.recordID.zoneID.owner.recordName.text),
      ("record", entry.recordID.recordName.text), ("type", entry.recordType.text), ("winner", entry.winner.rawValue),
      ("rule", entry.rule), ("decidedBy", entry.decidedBy), ("serverDevice", entry.serverDeviceID),
    ]
    for (name, text) in texts { fields[name] = text.map { .string($0) } }
    fields["decidedAt"] = .timestamp(entry.at)
    var room = byteLimit
    // The losing version first, because the winner is also in the record itself.
    let versions = [("decider", entry.local), ("server", entry.server)]
    for (side, content) in entry.winner == .local ? versions.reversed() : versions {
      put(content, side, into: &fields, room: &room)
    }
    return fields
  }

  private static func put(_ content: RecordContent?, _ side: String, into fields: inout Fields, room: inout Int) {
    guard let content else { return }
    guard content.fields.utf8.count <= room else {
      fields[Name(side + "Omitted")] = .int64(1)
      return
    }
    room -= content.fields.utf8.count
    fields[Name(side + "Fields")] = .string(String(decoding: content.fields.utf8, as: UTF8.self))
    fields[Name(side + "Parent")] = content.parent.map { .string($0.text) }
  }

  private static func content(_ side: String, of fields: Fields) -> RecordContent? {
    guard let json = text(side + "Fields", of: fields) else {
      return fields[Name(side + "Omitted")] == nil ? nil : RecordContent(fields: .empty)
    }
    return RecordContent(
      fields: EncodedFields(canonical: Array(json.utf8)), parent: text(side + "Parent", of: fields).map { Name($0) })
  }

  private static func text(_ name: String, of fields: Fields) -> String? {
    if case .string(let text)? = fields[Name(name)] { text } else { nil }
  }

  private static func bytes(_ recordID: RecordID) -> [UInt8] {
    Array("\(recordID.zoneID.owner.recordName)\u{0}\(recordID.zoneID.zoneName)\u{0}\(recordID.recordName)".utf8)
  }

  private static func bytes(_ content: RecordContent?) -> [UInt8] {
    content.map { Array(("." + ($0.parent?.text ?? "") + "\u{0}").utf8) + $0.fields.utf8 } ?? []
  }
}
