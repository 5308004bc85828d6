import Testing
import ZoneKitRecords

@testable import ZoneKitDocumentServer
@testable import ZoneKitDocuments

@Suite struct `kept documents` {
  private func entry(_ sequence: Int64, _ content: String, bytes: Int = 0, dataset: UInt64 = 7) -> KeptDocuments.Entry {
    let text = EncodedFields(canonical: Array(content.utf8))
    return KeptDocuments.Entry(
      tag: DocumentTag(dataset: dataset, sequence: sequence), collection: "weightLogs", stored: text, shown: text,
      written: WrittenDocument(
        editedAt: nil, isDeleted: false, members: Array(repeating: UInt8(ascii: " "), count: bytes)))
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

  @Test func `take no more memory than two generations`() {
    var kept = KeptDocuments()
    let size = 1 << 20
    let count = KeptDocuments.limit / size
    let entries = (1...Int64(3 * count)).map { entry($0, "{\($0)}", bytes: size) }
    kept.keep(entries)
    let left = entries.filter { found($0, in: kept) != nil }.map(\.tag)
    #expect(left == entries.suffix(left.count).map(\.tag))
    #expect((count...2 * count).contains(left.count))
  }

  @Test func `take the room of one document if one is kept many times`() {
    var kept = KeptDocuments()
    let (one, two) = (entry(1, "{1}"), entry(2, "{2}", bytes: 1 << 20))
    kept.keep([one])
    for _ in 0..<3 * KeptDocuments.limit / two.size { kept.keep([two]) }
    #expect(found(one, in: kept)?.tag == one.tag)
  }
}
