import Records
import SyncCoordinator

/// The zone and the records of an app whose rule is: the newest stamp, then the greater content, merged field by field.
enum Items {
  static let zone = ZoneID(zoneName: "Items")
  static let otherZone = ZoneID(zoneName: "Others")
  static let stamp: Name = "updatedAt"

  static func id(_ name: Name, in zoneID: ZoneID = zone) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  static func fields(_ texts: [Name: String], at stamp: WallTime? = nil) -> Fields {
    var fields = Fields()
    for name in texts.keys.sorted() { fields[name] = texts[name].map { .string($0) } }
    fields[Items.stamp] = stamp.map { .timestamp($0) }
    return fields
  }

  static func save(_ name: Name, _ texts: [Name: String], in zoneID: ZoneID = zone) -> RecordEdit {
    .save(id(name, in: zoneID), type: "Item", fields: fields(texts), parent: nil, stamping: .now)
  }

  static func delete(_ name: Name) -> RecordEdit { .delete(id(name)) }

  static let policy = MergePolicy { conflict in
    guard let local = conflict.local, let server = conflict.server else { return Resolution(.delete, rule: "delete") }
    let localWins = rank(server).lexicographicallyPrecedes(rank(local))
    let winner = localWins ? local : server
    var merged = winner
    if let ours = try? local.fields.decoded(), let theirs = try? server.fields.decoded(),
      let base = conflict.ancestor, let ancestor = try? base.fields.decoded()
    {
      merged.fields = EncodedFields(
        FieldMerge.merge(local: ours, server: theirs, ancestor: ancestor, winner: localWins ? .local : .server))
    }
    if merged == server { return Resolution(.adoptServer, rule: "updatedAt") }
    if merged == local { return Resolution(.keepLocal, rule: "updatedAt") }
    return Resolution(.merged(merged), rule: "merged")
  }

  /// The stamp in bytes that compare like it, then the content.
  private static func rank(_ content: RecordContent) -> [UInt8] {
    var time: Int64 = 0
    if let fields = try? content.fields.decoded(), case .timestamp(let stamp)? = fields[stamp] {
      time = stamp.milliseconds
    }
    return (0..<8).reversed().map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) } + content.fields.utf8
  }
}

extension CoordinatorConfiguration {
  static let items = CoordinatorConfiguration(mergePolicy: Items.policy, stampField: Items.stamp)
}

/// The coordinator's facts, where the cloud's are in sight too.
typealias DeviceFact = Fact
