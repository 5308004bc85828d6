import Testing
import ZoneKitRecords

@testable import ZoneKitDocumentServer
@testable import ZoneKitDocuments

@Suite struct `kept documents` {
  private func entry(_ sequence: Int64, _ content: String, dataset: UInt64 = 7) -> KeptDocuments.Entry {
    let text = EncodedFields(canonical: Array(content.utf8))
    return KeptDocuments.Entry(
      tag: DocumentTag(dataset: dataset, sequence: sequence), collection: "weightLogs", stored: text, shown: text,
      written: WrittenDocument(editedAt: nil, isDeleted: false, members: []))
  }

  private func found(
    _ entry: KeptDocuments.Entry, in kept: KeptDocuments, collection: Name = "weightLogs", content: String? = nil
  ) -> KeptDocuments.Entry? {
    let text = content.map { Array($0.utf8) } ?? entry.stored.utf8
    return kept.entry(entry.tag, in: collection, storedAs: text.span)
  }

  @Test func `are found by their version, and only if they are stored with the same content`() {
    var kept = KeptDocuments()
    let (one, two) = (entry(1, "{1}"), entry(2, "{2}"))
    kept.keep([one, two])
    #expect(found(one, in: kept) == one)
    #expect(found(two, in: kept) == two)
    #expect(found(entry(3, "{1}"), in: kept) == nil)
    #expect(found(entry(1, "{1}", dataset: 8), in: kept) == nil)
    #expect(found(one, in: kept, content: "{2}") == nil)
    #expect(found(one, in: kept, collection: "foodLogs") == nil)
  }
}
