import ZoneKitRecords

/// An item of a document, such as a food of a meal. Items have IDs and merge one by one. A field has them as canonical JSON
/// objects: `_id`, `createdAt` and `updatedAt` in milliseconds, `deleted` 1 for a removed item, `extra`, and the members
/// of the schema.
package struct DocumentItem: Hashable, Sendable {
  /// The item's ID, unique within its document.
  package let id: String
  /// When it was last edited, in milliseconds since 1970.
  package let updatedAt: Int64
  /// Whether it was removed. A removed item stays in the document, so that no other copy brings it back.
  package let isRemoved: Bool
  /// The canonical text.
  package let text: String

  /// The item with that canonical text; nil if the text is none of an item. Members of the schema are not checked.
  package init?(text: String) {
    guard let json = try? JSON(parsing: text) else { return nil }
    self.init(json)
  }

  /// The item of a canonical object; nil if the object is none.
  package init?(_ json: JSON) {
    guard let id = json["_id"]?.string, DocumentID.isValid(id), let updatedAt = json["updatedAt"]?.integer,
      json["createdAt"]?.integer != nil
    else { return nil }
    self.id = id
    self.updatedAt = updatedAt
    isRemoved = json["deleted"] != nil
    text = json.text(.canonical)
  }

  /// The members of the item.
  package var json: JSON { (try? JSON(parsing: text)) ?? .null }

  /// Whether both have the same canonical text.
  package static func == (first: DocumentItem, second: DocumentItem) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  /// Hashes the ID, which equal items share.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Fields {
  /// The items in a field, ascending by ID; nil if the field is no list of items.
  package func items(in field: Name) -> [DocumentItem]? {
    guard let value = self[field] else { return nil }
    switch value {
    case .stringList(let texts):
      var items: [DocumentItem] = []
      items.reserveCapacity(texts.count)
      for text in texts {
        guard let item = DocumentItem(text: text), items.last.map({ $0.id.utf8.comesBefore(item.id.utf8) }) ?? true
        else { return nil }
        items.append(item)
      }
      return items
    case .unknownList: return []
    default: return nil
    }
  }

  /// Sets the items of a field. Items are sorted here; their IDs have to be different.
  package mutating func set(_ items: [DocumentItem], in field: Name) {
    let sorted = items.sorted { $0.id.utf8.comesBefore($1.id.utf8) }
    self[field] = .stringList(sorted.map(\.text))
  }
}

extension String.UTF8View {
  /// Whether these bytes are less than others, compared as unsigned numbers.
  func comesBefore(_ other: String.UTF8View) -> Bool { lexicographicallyPrecedes(other) }
}
