/// An entry of the conflict journal as a record of the journal's zone.
///
/// Only the decider has both versions. So that the losing version can be found on every device, the decider writes the
/// entry as a record: a device that merges two versions, or a cloud that compares them itself.
package enum ConflictRecord {
  /// The type of the records in the journal's zone.
  package static let recordType: Name = "Conflict"
  /// The most bytes of versions in a journal record. CloudKit's limit for a record is about 1 MB.
  static let byteLimit = 700_000

  /// The ID of an entry about two versions of a record, nil for a deleted one. It follows from the versions, so two
  /// deciders of one conflict write one record. `stampField` is left out of them: a cloud that compares versions itself
  /// may have changed the time stamp in it.
  package static func id(
    of recordID: RecordID, _ first: RecordContent?, _ second: RecordContent?, leavingOut stampField: Name? = nil
  ) -> String {
    let versions = [first, second].map { bytes($0?.leavingOut(stampField)) }
    return ContentHash.of([bytes(recordID)] + versions.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// The ID of an entry about one version that is discarded without another one. It follows from the version and
  /// `reason`.
  package static func id(
    of recordID: RecordID, discarding version: RecordContent?, because reason: String,
    leavingOut stampField: Name? = nil
  ) -> String {
    ContentHash.of([bytes(recordID), bytes(version?.leavingOut(stampField)), Array(reason.utf8)])
  }

  /// The fields of the record of an entry. Of two versions that are too large for one record, the losing one is kept,
  /// because the winner is also in the record that the conflict is about.
  package static func fields(of entry: ConflictEntry) -> Fields {
    var fields = Fields()
    let texts: [(Name, String?)] = [
      ("zone", entry.recordID.zoneID.zoneName.text), ("owner", entry.recordID.zoneID.owner.recordName.text),
      ("record", entry.recordID.recordName.text), ("type", entry.recordType.text), ("winner", entry.winner.rawValue),
      ("rule", entry.rule), ("decidedBy", entry.decidedBy), ("serverDevice", entry.serverDeviceID),
    ]
    for (name, text) in texts { fields[name] = text.map { .string($0) } }
    fields["decidedAt"] = .timestamp(entry.at)
    var room = byteLimit
    let versions = [("decider", entry.local), ("server", entry.server)]
    for (side, content) in entry.winner == .local ? versions.reversed() : versions {
      put(content, side, into: &fields, room: &room)
    }
    return fields
  }

  /// The entry in a record of the journal's zone, from the view of the device `deviceID`; nil if the record contains
  /// none.
  package static func entry(from record: Record, deviceID: String) -> ConflictEntry? {
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
