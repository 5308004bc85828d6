import ZoneKitRecords

/// The collections of an app, and what the server sums up.
package struct DocumentSchema: Hashable, Sendable {
  /// The sums that the server keeps of the documents of each day.
  package struct Summary: Hashable, Sendable {
    /// The collection with a document for each day.
    package var collection: Name
    /// The collection of the documents that are summed.
    package var source: Name
    /// The member with the day of a summed document.
    package var day: Name
    /// The member of the sums with the number of documents.
    package var documents: Name
    /// The member of the sums with the number of their items.
    package var items: Name

    /// Sums of the documents in `source`, by the day in the member `day`.
    package init(_ collection: Name, of source: Name, by day: Name, documents: Name, items: Name) {
      self.collection = collection
      self.source = source
      self.day = day
      self.documents = documents
      self.items = items
    }
  }

  /// The collections, in the order in which answers list them.
  package let collections: [DocumentCollection]
  /// The sums by day; nil for none.
  package let summary: Summary?
  /// The version of the schema.
  package let version: Int
  /// How the documents of each collection are stored and written, in the order of the collections.
  private let forms: [DocumentForm]
  /// What is summed by day, with its places in stored texts.
  package let summed: DocumentAmounts

  /// A schema with those collections.
  package init(_ collections: [DocumentCollection], summary: Summary?, version: Int = 1) {
    self.collections = collections
    self.summary = summary
    self.version = version
    let source = collections.first { $0.name == summary?.source }
    let summed = DocumentAmounts(
      source?.items?.items?.amounts ?? [], counts: summary.map { [$0.documents, $0.items] } ?? [])
    self.summed = summed
    forms = collections.map { DocumentForm($0, summing: $0.name == summary?.collection ? summed : nil) }
  }

  /// Whether both schemas are described alike.
  package static func == (first: DocumentSchema, second: DocumentSchema) -> Bool {
    (first.collections, first.summary, first.version) == (second.collections, second.summary, second.version)
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

  /// The most collections. A cursor has a bit for each.
  package static let collectionLimit = 64
  /// The most items of a document.
  package static let itemLimit = 500
  /// The most bytes of the field text of a document.
  package static let documentBytes = 256 << 10
  /// The most bytes of the members of a document or item that the schema does not name.
  package static let extraBytes = 16 << 10
}
