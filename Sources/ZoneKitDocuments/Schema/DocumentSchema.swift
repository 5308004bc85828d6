import ZoneKitRecords

/// The collections of an app, the items of its documents, and what the server sums up.
package struct DocumentSchema: Hashable, Sendable {
  /// The sums that the server keeps of the documents of each day.
  package struct Summary: Hashable, Sendable {
    /// The collection with a document for each day.
    package var collection: Name
    /// The collection of the documents that are summed.
    package var source: Name
    /// The member with the day of a summed document.
    package var day: Name

    /// Sums of the documents in `source`, by the day in the member `day`.
    package init(_ collection: Name, of source: Name, by day: Name) {
      self.collection = collection
      self.source = source
      self.day = day
    }
  }

  /// The collections, in the order in which answers list them.
  package let collections: [DocumentCollection]
  /// The members of items besides those that all items have.
  package let itemMembers: [DocumentMember]
  /// The members of items whose sums a document with items shows.
  package let amounts: [Name]
  /// The sums by day; nil for none.
  package let summary: Summary?
  /// The version of the schema.
  package let version: Int
  /// How the documents of each collection are stored and written, in the order of the collections.
  private let forms: [DocumentForm]
  /// How items are stored and written.
  let itemForm: ItemForm
  /// The same amounts, with their places in stored texts.
  package let summed: DocumentAmounts

  /// A schema with those collections and items.
  package init(
    _ collections: [DocumentCollection], items: [DocumentMember], amounts: [Name], summary: Summary?, version: Int = 1
  ) {
    self.collections = collections
    itemMembers = items
    self.amounts = amounts
    self.summary = summary
    self.version = version
    forms = collections.map { DocumentForm($0, summing: $0.name == summary?.collection ? amounts : nil) }
    itemForm = ItemForm(items, amounts: amounts)
    summed = DocumentAmounts(amounts)
  }

  /// Whether both schemas are described alike.
  package static func == (first: DocumentSchema, second: DocumentSchema) -> Bool {
    (first.collections, first.itemMembers, first.amounts, first.summary, first.version)
      == (second.collections, second.itemMembers, second.amounts, second.summary, second.version)
  }

  /// Hashes the names of the collections.
  package func hash(into hasher: inout Hasher) { hasher.combine(collections.map(\.name)) }

  /// The collection of that name, that of the conflict journal included; nil if there is none.
  package func collection(_ name: Name) -> DocumentCollection? {
    name == .conflicts ? .conflicts : collections.first { $0.name == name }
  }

  /// How the documents of a collection are stored and written.
  func form(of collection: DocumentCollection) -> DocumentForm {
    if collection.name == .conflicts { return .conflicts }
    for (place, known) in collections.enumerated() where known.name == collection.name { return forms[place] }
    return DocumentForm(collection, summing: nil)
  }

  /// The most items of a document.
  package static let itemLimit = 500
  /// The most bytes of the field text of a document.
  package static let documentBytes = 256 << 10
  /// The most bytes of the members of a document or item that the schema does not name.
  package static let extraBytes = 16 << 10
}
