import ZoneKitRecords

/// How the documents of a collection are stored and written: the place of each member in the canonical text of a record's
/// fields. It is made once for each schema.
struct DocumentForm: Sendable {
  /// The members with a field of their own, in the order in which documents have them. The value of each has the place of its
  /// index.
  let members: [DocumentMember]
  /// The number of the first of them that are shown together, as `totals`.
  let sums: Int
  /// How the items are stored and written; nil if documents have none.
  let items: ItemForm?
  /// Whether documents have the time of the last edit and a mark of deletion.
  let isEdited: Bool
  /// The layout of the fields.
  let layout: ObjectLayout
  /// The members that documents have before those when the service sends them, in their order.
  let served: [Name]
  /// The layout of documents as the service sends them: `served`, the members, and `totals`.
  let servedLayout: ObjectLayout
  /// The names of all members that clients may send. Others are kept as `extra`.
  let known: Set<String>

  /// The place of the time of the last edit.
  var stamp: Int { members.count }
  /// The place of the mark of deletion.
  var deleted: Int { members.count + 1 }
  /// The place of the members that the schema does not name.
  var extra: Int { members.count + 2 }
  /// The number of places.
  var count: Int { members.count + 3 }

  /// Appends the beginning of the member at that place in a document that the service sends.
  func appendBeginning(_ place: Int, isFirst: Bool = false, to output: inout [UInt8]) {
    servedLayout.appendBeginning(served.count + place, isFirst: isFirst, to: &output)
  }

  /// Whether the collection's documents have nothing at that place, so that a field there does not matter.
  func ignores(_ place: Int) -> Bool {
    place == extra ? sums > 0 : (place == stamp || place == deleted) && !isEdited
  }

  /// The members of every document that the service sends, in their order.
  private static let allServed: [Name] = [
    "_id", "userId", "version", "tag", .documentStamp, "deletedAt", "deviceId", "committedAt",
  ]

  /// The members with what is known of a version, and the sums. They are no content, and ignored in what clients send:
  /// clients note in a document when they synced it last.
  static let metadata = Set(allServed.map(\.text) + ["lastSyncedAt", "totals"])

  /// The names of the fields that a document has besides the members of its collection.
  static let fields: Set<String> = [Name.documentStamp.text, Name.deleted.text, Name.extra.text]

  /// The form of the documents of a collection. `sums` are those that it has, if it is the collection with the sums of days.
  init(_ collection: DocumentCollection, summing sums: DocumentAmounts?) {
    let summed = sums.map { $0.names + $0.counts } ?? []
    members =
      collection.members + summed.map { DocumentMember($0, .integer(Int64.min...Int64.max)) }
    self.sums = sums?.names.count ?? 0
    items = collection.items?.items.map(ItemForm.init)
    isEdited = collection.name != .conflicts
    var fields = members.enumerated().map { (name: $1.name, type: $1.kind.fieldType, place: $0) }
    fields.append((.documentStamp, .timestamp, members.count))
    fields.append((.deleted, .int64, members.count + 1))
    fields.append((.extra, .string, members.count + 2))
    layout = ObjectLayout(fields: fields)
    // A document of the conflict journal is no edit, so it has no time of one.
    served = isEdited ? Self.allServed : Self.allServed.filter { $0 != .documentStamp && $0 != "deletedAt" }
    servedLayout = ObjectLayout(inOrder: served + members.map(\.name) + ["totals"])
    known = Set(collection.members.map(\.name.text)).union(Self.metadata)
  }
}

extension DocumentMember.Kind {
  /// The type of the member's field.
  var fieldType: FieldType {
    switch self {
    case .text, .day, .choice, .documentID: .string
    case .time: .timestamp
    case .integer, .boolean: .int64
    case .number: .double
    case .items: .stringList
    }
  }
}
