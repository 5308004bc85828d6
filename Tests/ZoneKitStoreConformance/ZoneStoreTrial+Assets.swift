import ZoneKitRecords
import ZoneKitCloud

extension ZoneStoreTrial {
  mutating func checkAssets(_ reopen: (consuming Store) throws -> Store) throws {
    let other = ZoneKey(database: database, zoneName: "Other")
    let elsewhere = DatabaseID(container: "iCloud.b", environment: .development, user: "nanny", scope: .private)
    let definitions = ["photo", "photos"].map {
      FieldDefinition(recordType: "Note", field: $0, type: $0 == "photo" ? .asset : .assetList)
    }
    stage(
      [photo("a", 1, "p1"), photo("b", 2, "p2"), record("c", 3), photo("d", 4, "p4", "p5")], in: notes, definitions)
    stage([photo("a", 1, "p6")], in: other, definitions)
    try expectAssets(["p1", "p2", "p4", "p5", "p6"], "staged assets")
    commit()
    try self.reopen(reopen)
    try expectAssets(["p1", "p2", "p4", "p5", "p6"], "committed assets")
    expect(try store.assetChecksums(in: elsewhere), [], "the assets of another database")
    expect(try store.assetSize("p1", in: database), nil, "the size of an asset whose bytes are not kept")
    stage([photo("a", 5, "p7"), tombstone("b", 6)], in: notes)
    commit()
    try expectAssets(["p4", "p5", "p6", "p7"], "assets after a replacement and a deletion")
    store.stage(ZoneTransition(header: header("Other", sequence: 2, databaseSequence: 3), clearsZone: true), in: other)
    commit()
    try self.reopen(reopen)
    try expectAssets(["p4", "p5", "p7"], "assets after a zone was cleared")
  }

  private mutating func expectAssets(_ wanted: Set<String>, _ what: String) throws {
    expect(try store.assetChecksums(in: database), wanted, what)
  }

  private mutating func stage(_ records: [StoredRecord], in zone: ZoneKey, _ definitions: [FieldDefinition]) {
    var header = header(zone.zoneName, sequence: records.last?.sequence ?? 0, databaseSequence: 1)
    header.recordCount = records.count
    store.stage(ZoneTransition(header: header, records: records, definitions: definitions), in: zone)
  }

  /// A record with one asset, or with a list of them.
  private func photo(_ name: Name, _ sequence: Int64, _ checksums: String...) -> StoredRecord {
    var photo = record(name, sequence)
    let assets = checksums.map { Asset(fileChecksum: $0, size: 1) }
    var fields = Fields()
    // A text that looks like an asset is none.
    fields["note"] = .string(#"{"fileChecksum":"none"}"#)
    if assets.count == 1 { fields["photo"] = .asset(assets[0]) } else { fields["photos"] = .assetList(assets) }
    photo.fields = EncodedFields(fields)
    return photo
  }
}
