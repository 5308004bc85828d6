import Testing
import ZoneKitDocuments
import ZoneKitRecords

/// Documents are written and read without trees of JSON. The trees say what is right.
@Suite struct `documents as bytes` {
  private static let collections = Samples.schema.collections + [Samples.collection(.conflicts)]

  private func document(_ fields: Fields, of collection: DocumentCollection) -> Document {
    Document(
      DocumentName(collection.name, "ID-1"), of: "Zoë \"1\"", version: 3, tag: DocumentTag(dataset: 7, sequence: 9),
      deviceID: "D\n", committedAt: Samples.stamp, fields: fields)
  }

  private func fields(of collection: DocumentCollection, using generator: inout SplitMix64) -> Fields {
    guard collection.isDerived else { return Samples.document(of: collection, using: &generator) }
    var summary = DailySummary()
    for log in 0..<Int.random(in: 0...3, using: &generator) {
      summary.put(
        Samples.items(using: &generator), of: "L\(log)", stamp: Samples.stamp, amounts: Samples.schema.summed)
    }
    return summary.fields(stamp: Samples.stamp, amounts: Samples.schema.summed)
  }

  @Test(arguments: collections) func `are written as the trees of their decoded fields`(
    _ collection: DocumentCollection
  ) throws {
    var generator = SplitMix64(seed: 3)
    let (writer, trees) = (DocumentWriter(collection, of: Samples.schema), TreeWriter(collection: collection))
    for _ in 0..<300 {
      let fields = fields(of: collection, using: &generator)
      let document = document(fields, of: collection)
      var text: [UInt8] = []
      #expect(writer.append(document, to: &text))
      #expect(String(decoding: text, as: UTF8.self) == trees.json(of: document)?.text())
      #expect(writer.data(of: fields)?.json == trees.data(of: fields))
    }
  }

  /// Fields of which some have a value that they cannot have, or are missing.
  private func damaged(_ fields: Fields, using generator: inout SplitMix64) -> Fields {
    var damaged = fields
    let values: [FieldValue?] = [
      nil, .string(""), .string("x"), .string("2026-02-30"), .string(String(repeating: "é", count: 101)), .int64(-1),
      .int64(.max), .timestamp(WallTime(milliseconds: -1)), .unknownList, .stringList([]), .stringList(["{}"]),
      .stringList([#"{"_id":"b","createdAt":1,"name":"x","quantityMilli":1,"unit":"g","updatedAt":1}"#]),
      .stringList([#" {"updatedAt":1,"createdAt":1,"_id":"b","name":"x","unit":"g","quantityMilli":2,"odd":[{}]} "#]),
      .stringList([
        #"{"_id":"b","createdAt":1,"name":"x","quantityMilli":1,"unit":"g","updatedAt":1}"#,
        #"{"_id":"a","createdAt":1,"name":"x","quantityMilli":1,"unit":"g","updatedAt":1}"#,
      ]),
      .double(1),
    ]
    for _ in 0..<Int.random(in: 1...2, using: &generator) {
      let names = fields.sorted.map(\.name) + [.deleted, .extra, "notes", "parts"]
      let name = names.randomElement(using: &generator) ?? "notes"
      damaged[name] = values.randomElement(using: &generator) ?? nil
      if let value = damaged[name], Bool.random(using: &generator) {
        damaged.set(Field(name: name, value: value, isEncrypted: true))
      }
    }
    return damaged
  }

  @Test(arguments: collections) func `are none where the trees are none`(_ collection: DocumentCollection) {
    var generator = SplitMix64(seed: 4)
    let (writer, trees) = (DocumentWriter(collection, of: Samples.schema), TreeWriter(collection: collection))
    var count = 0
    for _ in 0..<2_000 {
      let fields = damaged(fields(of: collection, using: &generator), using: &generator)
      let document = document(fields, of: collection)
      var text = Array("before".utf8)
      let isWritten = writer.append(document, to: &text)
      let expected = trees.json(of: document)?.text()
      #expect(String(decoding: text, as: UTF8.self) == "before" + (expected ?? ""), "\(fields)")
      #expect(isWritten == (expected != nil))
      let isDeleted = writer.written(document.content)?.isDeleted
      #expect(isDeleted == (trees.data(of: fields) == nil ? nil : fields.isDeleted))
      count += isWritten ? 0 : 1
    }
    #expect(count > 100)
  }

  @Test(arguments: collections) func `are read as their trees are`(_ collection: DocumentCollection) throws {
    var generator = SplitMix64(seed: 5)
    let writer = DocumentWriter(collection, of: Samples.schema)
    let reader = DocumentReader(collection, of: Samples.schema)
    var served = ServedDocumentReader(collection, of: Samples.schema)
    for _ in 0..<300 {
      var fields = fields(of: collection, using: &generator)
      if collection.isDerived { fields["parts"] = nil }
      var plain = document(fields, of: collection)
      (plain.user, plain.deviceID) = ("nanny", "D")
      var text = Array("[".utf8)
      writer.append(plain, to: &text)
      let range = 1..<text.count
      let found = served.document(text.span, range, of: plain.user)
      let expected = try reader.fields(ofServed: try JSON(parsing: text[range]))
      #expect(EncodedFields(expected).utf8 == plain.content.utf8)
      if let found { #expect(found == plain) }
      // Members that the schema does not know need the general reader, and so do sums of days.
      let isUsual = fields[.extra] == nil && !collection.isDerived
      let hasUsualItems = (fields.items(in: "items") ?? []).allSatisfy { $0.json["extra"] == nil }
      #expect((found != nil) == (isUsual && hasUsualItems))
    }
  }

  @Test(arguments: collections) func `are read as their trees are, or not at all, if bytes are damaged`(
    _ collection: DocumentCollection
  ) throws {
    var generator = SplitMix64(seed: 6)
    let writer = DocumentWriter(collection, of: Samples.schema)
    let reader = DocumentReader(collection, of: Samples.schema)
    var served = ServedDocumentReader(collection, of: Samples.schema)
    let bytes = Array(#"{}[]",:\09-aTZ.é"#.utf8) + [0, 0x1F, 0xFF]
    for _ in 0..<1_500 {
      var plain = document(fields(of: collection, using: &generator), of: collection)
      (plain.user, plain.deviceID) = ("nanny", "D")
      var text: [UInt8] = []
      writer.append(plain, to: &text)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        let byte = bytes.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0...2, using: &generator) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        default: text.remove(at: place)
        }
      }
      // The reader is given text alone.
      guard (try? UTF8Span(validating: text.span)) != nil else { continue }
      let found = served.document(text.span, 0..<text.count, of: "nanny")
      guard let found, let json = try? JSON(parsing: text) else { continue }
      #expect(EncodedFields(try reader.fields(ofServed: json)).utf8 == found.content.utf8)
    }
  }

  @Test func `of random bytes are none`() {
    var generator = SplitMix64(seed: 8)
    let writer = DocumentWriter(Samples.logs, of: Samples.schema)
    for _ in 0..<3_000 {
      var text = Samples.bytes(Samples.document(of: Samples.logs, using: &generator))
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        text[Int.random(in: 0..<text.count, using: &generator)] = UInt8.random(in: .min ... .max, using: &generator)
      }
      _ = writer.isDocument(EncodedFields(canonical: text))
      var output: [UInt8] = []
      let document = Document(
        DocumentName("foodLogs", "L"), of: "nanny", version: 1, tag: DocumentTag(dataset: 7, sequence: 9),
        deviceID: "D",
        committedAt: Samples.stamp, content: EncodedFields(canonical: text), isDeleted: false)
      #expect(writer.append(document, to: &output) || output.isEmpty)
    }
  }
}
