import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

/// Values for tests of single rules: records of zone `Z`, versions of devices `me` and `other`, and a device's ledger.
enum Sample {
  static let zone = ZoneID(zoneName: "Z")
  static let journal = ZoneID(zoneName: "ConflictJournal")

  static func id(_ name: Name, in zoneID: ZoneID = zone) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  static func content(_ text: String, parent: Name? = nil, to target: Name? = nil) -> RecordContent {
    var fields = Fields()
    fields["text"] = .string(text)
    fields["target"] = target.map { .reference(Reference(recordName: $0, action: .validate)) }
    return RecordContent(fields: EncodedFields(fields), parent: parent)
  }

  static func version(
    _ content: RecordContent, tag: String = "1", by device: String = "other", at: Int64 = 1_000
  ) -> ServerVersion {
    ServerVersion(content: content, changeTag: ChangeTag(tag), modified: authorship(device, at: at))
  }

  static func authorship(_ device: String, at: Int64) -> Authorship {
    Authorship(at: WallTime(milliseconds: at), author: Author(userRecordName: "_nanny", deviceID: device))
  }

  /// A record as the cloud holds it.
  static func record(
    _ name: Name, _ content: RecordContent, tag: String = "1", by device: String = "other", at: Int64 = 1_000
  ) -> Record {
    Record(
      recordName: name, recordType: "Item", fields: content.fields, changeTag: ChangeTag(tag),
      created: authorship(device, at: at), modified: authorship(device, at: at), parent: content.parent)
  }

  /// A record as the device holds it.
  static func local(
    _ name: Name, _ local: RecordContent?, server: ServerVersion? = nil, sent: SentVersion? = nil, revision: Int64 = 0,
    in zoneID: ZoneID = zone
  ) -> LocalRecord {
    var record = LocalRecord(
      recordID: id(name, in: zoneID), recordType: "Item", local: local, server: server, revision: revision, sent: sent)
    record.pendingSince = record.isPending ? WallTime(milliseconds: 500) : nil
    return record
  }

  static func moment(_ milliseconds: Int64) -> Moment {
    Moment(wall: WallTime(milliseconds: milliseconds), monotonic: MonotonicTime(milliseconds: milliseconds))
  }

  /// The newest text wins.
  static var configuration: CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(
      mergePolicy: MergePolicy { conflict in
        let (local, server) = (conflict.local?.fields.utf8 ?? [], conflict.server?.fields.utf8 ?? [])
        return Resolution(server.lexicographicallyPrecedes(local) ? .keepLocal : .adoptServer, rule: "text")
      })
    configuration.traits.journalZone = journal
    return configuration
  }

  /// What device `me` of account `nanny` knows.
  static func ledger(
    _ records: [LocalRecord] = [], zones: [ZoneState] = [ZoneState(zoneID: zone, token: ChangeToken("t0"))],
    configuration: CoordinatorConfiguration = configuration
  ) throws -> Ledger<MemoryDeviceStore> {
    var store = MemoryDeviceStore()
    var transition = DeviceTransition(
      records: records,
      values: [
        ValueChange(.deviceID, .text("me")), ValueChange(.account, .text("nanny")),
        ValueChange(.revision, .integer(records.map(\.revision).max() ?? 0)),
      ])
    transition.zones = zones
    try store.commit(transition)
    return try Ledger(store: store, configuration: configuration)
  }

  /// A page of a zone's feed.
  static func page(
    _ changes: [RecordChange], of zoneID: ZoneID = zone, token: String = "t1", moreComing: Bool = false
  ) -> ZoneChanges {
    ZoneChanges(zoneID: zoneID, page: RecordPage(changes), token: ChangeToken(token), moreComing: moreComing)
  }

  /// A sync that asks the feeds.
  static var session: SyncSession {
    SyncSession(reasons: [.launch], hasToFetch: true, startedAt: WallTime(milliseconds: 900), push: nil)
  }
}
