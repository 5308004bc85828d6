import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `places in feeds` {
  private func cursor(using generator: inout SplitMix64) -> DocumentCursor {
    var cursor = DocumentCursor(
      startOf: Bool.random(using: &generator) ? .documents : .conflicts,
      Bool.random(using: &generator) ? .changes : .snapshot, includesDeleted: Bool.random(using: &generator))
    cursor.incarnation = generator.next()
    cursor.position = Int64.random(in: 0 ... .max, using: &generator)
    if Bool.random(using: &generator) {
      cursor.collections = Set((0..<7).filter { _ in Bool.random(using: &generator) })
    }
    if Bool.random(using: &generator) { cursor.since = Samples.time(Int64.random(in: -9...9, using: &generator)) }
    if Bool.random(using: &generator) { cursor.end = Int64.random(in: 0 ... .max, using: &generator) }
    return cursor
  }

  @Test func `are read from their texts`() throws {
    var generator = SplitMix64(seed: 8)
    for _ in 0..<200 {
      let cursor = cursor(using: &generator)
      #expect(try DocumentCursor(cursor.text, cursor.kind) == cursor)
      #expect(cursor.text.utf8.count <= 80)
      #expect(throws: DocumentCursor.Problem.ofAnotherKind) {
        try DocumentCursor(cursor.text, cursor.kind == .changes ? .snapshot : .changes)
      }
      var position = DocumentPosition()
      for feed in DocumentFeed.allCases where Bool.random(using: &generator) {
        let sequence: Int64? = Bool.random(using: &generator) ? Int64.random(in: 0 ... .max, using: &generator) : nil
        position.feeds[feed] = DocumentPosition.Known(dataset: generator.next(), sequence: sequence)
      }
      #expect(try DocumentPosition(position.text) == position)
      #expect(position.text.utf8.count <= 80)
      #expect(throws: DocumentCursor.Problem.ofAnotherKind) { try DocumentPosition(cursor.text) }
      #expect(throws: DocumentCursor.Problem.ofAnotherKind) { try DocumentCursor(position.text, .changes) }
    }
  }

  @Test func `are not read from any other text`() {
    var generator = SplitMix64(seed: 9)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ ".utf8)
    for _ in 0..<5 {
      let cursor = cursor(using: &generator)
      let bytes = Array(cursor.text.utf8)
      for index in bytes.indices {
        for letter in letters where letter != bytes[index] {
          var altered = bytes
          altered[index] = letter
          let text = String(decoding: altered, as: UTF8.self)
          if (try? DocumentCursor(text, cursor.kind)) != nil { Issue.record("\(cursor.text) is read from \(text)") }
        }
        #expect(throws: DocumentCursor.Problem.unreadable) {
          try DocumentCursor(String(decoding: bytes[..<index], as: UTF8.self), cursor.kind)
        }
      }
      #expect(throws: DocumentCursor.Problem.unreadable) { try DocumentCursor(cursor.text + "A", cursor.kind) }
      #expect(throws: DocumentCursor.Problem.unreadable) { try DocumentCursor(cursor.text + "AAAA", cursor.kind) }
    }
  }

  @Test func `have tags that are read from exactly their texts`() {
    let tag = DocumentTag(dataset: 0x9f3c_2a7b_1d0e_4456, sequence: 912)
    #expect(tag.text == "9f3c2a7b1d0e4456-912" && DocumentTag(tag.text) == tag)
    #expect(DocumentTag(DocumentTag(dataset: 0, sequence: .max).text) == DocumentTag(dataset: 0, sequence: .max))
    for text in [
      "", "-1", "9f3c2a7b1d0e4456", "9f3c2a7b1d0e4456-", "9f3c2a7b1d0e4456-0", "9f3c2a7b1d0e4456-01",
      "9F3C2a7b1d0e4456-1", "9f3c2a7b1d0e445-1", "9f3c2a7b1d0e44567-1", "9f3c2a7b1d0e4456-+1", "9f3c2a7b1d0e4456--1",
      "9f3c2a7b1d0e4456-1 ", " 9f3c2a7b1d0e4456-1", "9f3c2a7b1d0e4456-9223372036854775808", "gf3c2a7b1d0e4456-1",
    ] {
      #expect(DocumentTag(text) == nil, "\(text)")
    }
  }

  @Test func `have names of records from which documents are found`() {
    for name in [DocumentName("foodLogs", "A-1_b"), DocumentName("userGoals", "goals")] {
      #expect(DocumentName(recordName: name.recordName, in: .documents) == name)
    }
    #expect(DocumentName("foodLogs", "A").recordName == "foodLogs.A")
    #expect(DocumentName("conflicts", "A").recordName == "A")
    #expect(DocumentName(recordName: "A", in: .conflicts) == DocumentName("conflicts", "A"))
    for name: Name in ["A", "foodLogs.", "foodLogs.a b", "foodLogs.a.b", "", ".", "conflicts.A"] {
      #expect(DocumentName(recordName: name, in: .documents) == nil, "\(name)")
    }
    #expect(DocumentName(recordName: "a.b", in: .conflicts) == nil)
  }

  @Test func `have IDs of 1 to 64 plain characters`() {
    #expect(DocumentID.isValid(String(repeating: "a", count: 64)) && DocumentID.isValid("_"))
    for text in ["", String(repeating: "a", count: 65), "a b", "ä", "a.b", "\u{212A}"] {
      #expect(!DocumentID.isValid(text), "\(text)")
    }
  }
}
