import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// A document of the diet log as its user sees it on the device.
package struct DietDocument: Hashable, Sendable {
  /// The document's name.
  package let name: DocumentName
  /// The fields of its record.
  package var fields: Fields

  /// A document with those fields.
  package init(_ name: DocumentName, _ fields: Fields) {
    self.name = name
    self.fields = fields
  }

  /// The user's version of a record; nil for a record that is no document of the app, that the user erased, or whose
  /// fields are not those of a document.
  package init?(_ record: LocalRecord) { self.init(record.recordID, record.recordType, record.local) }

  /// A version of a record; nil if there is none, or if its fields are not those of a document of the app.
  init?(_ id: RecordID, _ type: Name, _ version: RecordContent?) {
    guard let name = DietLog.name(of: id), type == name.collection, let fields = try? version?.fields.decoded(),
      DietLog.isDocument(fields, of: name.collection)
    else { return nil }
    self.init(name, fields)
  }

  /// The value of a field; nil if there is none.
  package subscript(_ member: Name) -> FieldValue? {
    get { fields[member] }
    set { fields[member] = newValue }
  }

  /// The text of a field; nil if it has none.
  func text(_ member: Name) -> String? {
    if case .string(let text)? = fields[member] { text } else { nil }
  }

  /// The integer of a field; nil if it has none.
  func integer(_ member: Name) -> Int64? {
    if case .int64(let number)? = fields[member] { number } else { nil }
  }

  /// The time of a field; nil if it has none.
  func time(_ member: Name) -> WallTime? {
    if case .timestamp(let time)? = fields[member] { time } else { nil }
  }

  /// The document's collection.
  var collection: DocumentCollection { DietLog.collection(name.collection) }

  /// The document's record.
  package var id: RecordID { RecordID(recordName: name.recordName, zoneID: DietLog.zoneID) }

  /// Whether the user deleted it.
  package var isDeleted: Bool { fields.isDeleted }

  /// What users read of the ID.
  package var shortID: String { String(name.id.prefix(8)) }

  /// The items, removed ones too, in the order in which users see them: by the time of their creation, then by ID.
  package var items: [DocumentItem] {
    (fields.items(in: "items") ?? []).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// The items that were not removed.
  package var liveItems: [DocumentItem] { items.filter { !$0.isRemoved } }

  /// The sums of the items that were not removed.
  var totals: DocumentTotals { DocumentTotals(of: liveItems, DietLog.schema.summed) }

  /// What users read of the document: its word and its name.
  var words: String {
    switch name.collection {
    case "foodLogs": "\(text("mealType") ?? "log") \(shortID)"
    case "userGoals": "goals"
    case "recentFoods", "families", "familyMembers": "\(DietLog.word(name.collection)) \(text("name") ?? shortID)"
    default: "\(DietLog.word(name.collection)) \(shortID)"
    }
  }

  /// The edit that saves the document.
  package func edit(_ stamping: RecordEdit.Stamping) -> RecordEdit {
    .save(id, type: name.collection, fields: fields, parent: nil, stamping: stamping)
  }
}

extension DietLog {
  /// Whether the fields are those of a document of a collection. Documents that only the server writes have any fields.
  static func isDocument(_ fields: Fields, of collection: Name) -> Bool {
    let collection = self.collection(collection)
    return collection.isDerived || DocumentWriter(collection, of: schema).isDocument(EncodedFields(fields))
  }
}

extension DocumentItem {
  /// The item's name.
  package var name: String { json["name"]?.string ?? "" }
}
