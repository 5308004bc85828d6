import ZoneKitRecords

/// The writers of all collections of a schema, made once for many documents.
package struct DocumentWriters: Sendable {
  private let names: [Name]
  private let writers: [DocumentWriter]

  /// The writers of a schema and of the conflict journal.
  package init(of schema: DocumentSchema) {
    let collections = schema.collections + [.conflicts]
    names = collections.map(\.name)
    writers = collections.map { DocumentWriter($0, of: schema) }
  }

  /// Appends a document; see `DocumentWriter`. Returns false and appends nothing if it is not in the schema.
  package func append(_ document: Document, to output: inout [UInt8]) -> Bool {
    for place in names.indices where names[place] == document.name.collection {
      return writers[place].append(document, to: &output)
    }
    return false
  }

  /// The content of a document as clients get it; nil if it is that of no document of the collection.
  package func written(_ content: EncodedFields, in collection: Name) -> WrittenDocument? {
    for place in names.indices where names[place] == collection { return writers[place].written(content) }
    return nil
  }
}
