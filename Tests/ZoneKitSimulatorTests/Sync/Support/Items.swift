import ZoneKitRecords
import ZoneKitSimulator
import ZoneKitSync

/// The zones and the records of the simulator's plain app, whose rule is: the newest stamp, then the greater content,
/// merged field by field.
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
}

extension CoordinatorConfiguration {
  static let items = ItemsApp.app.configuration
}
