import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `documents as JSON` {
  private static let written = Samples.schema.collections.filter { !$0.isDerived } + [Samples.collection(.conflicts)]

  private func identity(_ collection: DocumentCollection, _ fields: Fields) -> String {
    switch collection.identity {
    case .any: return "ID-1"
    case .only(let id): return id
    case .member(let member):
      if case .string(let text)? = fields[member] { return text }
      return ""
    }
  }

  @Test(arguments: written) func `go from fields to JSON and back without a change`(
    _ collection: DocumentCollection
  ) throws {
    var generator = SplitMix64(seed: 1)
    let (writer, reader) = (
      DocumentWriter(collection, of: Samples.schema), DocumentReader(collection, of: Samples.schema)
    )
    for _ in 0..<100 {
      var fields = Samples.document(of: collection, using: &generator)
      if case .member(let member) = collection.identity { fields[member] = .string("food-1") }
      let id = identity(collection, fields)
      let document = Document(
        DocumentName(collection.name, id), of: "nanny", version: 3, tag: DocumentTag(dataset: 7, sequence: 9),
        deviceID: "D", committedAt: Samples.stamp, fields: fields)
      let served = try #require(writer.json(of: document))
      #expect(Samples.bytes(try reader.fields(ofServed: served)) == Samples.bytes(fields))
      let data = try #require(writer.data(of: fields))
      let stamp = collection.name == .conflicts ? Samples.stamp : fields.editedAt
      for (sent, operation) in [(data, DocumentChange.Operation.update), (DocumentData(served), .create)] {
        let change = DocumentChange(
          fields.isDeleted ? .delete : operation, document.name, at: stamp, data: sent)
        var expected = fields
        if collection.items != nil { expected.limitItems(to: stamp) }
        #expect(Samples.bytes(try reader.fields(after: change, before: nil, of: "nanny")) == Samples.bytes(expected))
      }
    }
  }

  @Test(arguments: Samples.schema.collections) func `are read or refused with a path from any JSON`(
    _ collection: DocumentCollection
  ) {
    var generator = SplitMix64(seed: 2)
    let reader = DocumentReader(collection, of: Samples.schema)
    let writer = DocumentWriter(collection, of: Samples.schema)
    for _ in 0..<300 {
      let json = Samples.json(depth: 4, using: &generator)
      let change = DocumentChange(
        .create, DocumentName(collection.name, "A"), at: Samples.stamp, data: DocumentData(json))
      for isServed in [false, true] {
        do throws(ChangeError) {
          let fields =
            isServed
            ? try reader.fields(ofServed: json) : try reader.fields(after: change, before: nil, of: "nanny")
          #expect(collection.isDerived || writer.isDocument(EncodedFields(fields)))
        } catch {
          #expect(error.path != nil && !error.message.isEmpty)
        }
      }
    }
  }

  @Test func `are stored as canonical text with items ascending by ID`() throws {
    let json = Samples.parsed(
      """
      {"zebra":{"b":1,"a":2.0},"mealType":"snack","loggedDate":"2026-11-21","loggedAt":"2026-11-21T13:00:00.1239+01:00",
      "items":[{"_id":"b","unit":"g","name":"x","quantityMilli":3.0},{"_id":"B","unit":"ml","name":"y","quantityMilli":1}]}
      """)
    let change = DocumentChange(
      .create, DocumentName("foodLogs", "L"), at: WallTime(milliseconds: 5), data: DocumentData(json))
    let fields = try DocumentReader(Samples.logs, of: Samples.schema).fields(after: change, before: nil, of: "nanny")
    #expect(
      String(decoding: Samples.bytes(fields), as: UTF8.self)
        == #"{"entryMethod":{"type":"STRING","value":"manual"},"extra":{"type":"STRING","value":"{\"zebra\":{\"a\":2.0,\"b\":1}}"},"#
        + #""items":{"type":"STRING_LIST","value":["{\"_id\":\"B\",\"createdAt\":5,\"name\":\"y\",\"quantityMilli\":1,\"unit\":\"ml\",\"updatedAt\":5}","#
        + #""{\"_id\":\"b\",\"createdAt\":5,\"name\":\"x\",\"quantityMilli\":3,\"unit\":\"g\",\"updatedAt\":5}"]},"#
        + #""loggedAt":{"type":"TIMESTAMP","value":1795262400123},"loggedDate":{"type":"STRING","value":"2026-11-21"},"#
        + #""mealType":{"type":"STRING","value":"snack"},"updatedAt":{"type":"TIMESTAMP","value":5}}"#)
  }

  @Test func `keep unknown members that a change does not mention, and lose those that are null`() throws {
    let reader = DocumentReader(Samples.logs, of: Samples.schema)
    var before = Samples.lunch([Samples.item("A", ["extra": #"{"salt":1,"shop":"x"}"#])])
    before[.extra] = .string(#"{"mood":"good","place":"home"}"#)
    let json = Samples.parsed(
      """
      {"loggedDate":"2026-11-21","loggedAt":"2026-11-21T12:00:00Z","mealType":"lunch","mood":null,"new":[1],
      "items":[{"_id":"A","name":"Oats","quantityMilli":60000,"unit":"g","shop":null,"salt":2}]}
      """)
    let change = DocumentChange(
      .update, DocumentName("foodLogs", "L"), at: Samples.time(5), data: DocumentData(json))
    let fields = try reader.fields(after: change, before: before, of: "nanny")
    #expect(fields[.extra] == .string(#"{"new":[1],"place":"home"}"#))
    #expect(fields.items(in: "items")?.first?.json["extra"] == .string(#"{"salt":2}"#))
  }

  @Test func `take an item's edit for no later than their own`() throws {
    let json = Samples.parsed(
      """
      {"loggedDate":"2026-11-21","loggedAt":"2026-11-21T12:00:00Z","mealType":"lunch",
      "items":[{"_id":"A","name":"a","quantityMilli":1,"unit":"g","updatedAt":"2190-01-01T00:00:00Z"},
      {"_id":"B","name":"b","quantityMilli":1,"unit":"g","updatedAt":"1990-01-01T00:00:00Z"}]}
      """)
    let change = DocumentChange(.create, DocumentName("foodLogs", "L"), at: Samples.stamp, data: DocumentData(json))
    let fields = try DocumentReader(Samples.logs, of: Samples.schema).fields(after: change, before: nil, of: "nanny")
    #expect(fields.items(in: "items")?.map(\.updatedAt) == [Samples.stamp.milliseconds, 631_152_000_000])
  }

  @Test func `show every member, null where it is absent, and sums of the items that were not removed`() throws {
    let fields = Samples.lunch([
      Samples.item("A", ["energyKcal": 200]), Samples.item("B", ["energyKcal": 90, "sodiumMg": 4]),
      Samples.item("C", ["energyKcal": 1_000], isRemoved: true),
    ])
    let document = Document(
      DocumentName("foodLogs", "L"), of: "nanny", version: 3, tag: DocumentTag(dataset: 7, sequence: 9), deviceID: "D",
      committedAt: Samples.stamp, fields: fields)
    let json = try #require(DocumentWriter(Samples.logs, of: Samples.schema).json(of: document))
    #expect(json["notes"] == .null && json["mealName"] == .null && json["deletedAt"] == .null)
    #expect(json["version"] == 3 && json["tag"] == "0000000000000007-9" && json["userId"] == "nanny")
    #expect(json["totals"]?["energyKcal"] == 290 && json["totals"]?["sodiumMg"] == 4 && json["totals"]?["fatMg"] == 0)
    #expect(json["items"]?.array?.count == 3)
    #expect(json["items"]?.array?[2]["deletedAt"] == json["items"]?.array?[2]["updatedAt"])
    #expect(json["items"]?.array?[0]["brand"] == .null)
  }

  @Test(arguments: [
    Samples.item("A", ["updatedAt": .integer(.max)]), Samples.item("A", ["createdAt": -1]),
    Samples.item("A", ["unit": "grams"]), Samples.item("A", ["quantityMilli": 0]), Samples.item("A", ["brand": 1]),
    Samples.item("A", ["extra": "[]"]), Samples.item("A", ["extra": 1]),
  ]) func `with an item outside its ranges are none`(_ item: JSON) {
    let writer = DocumentWriter(Samples.logs, of: Samples.schema)
    #expect(!writer.isDocument(EncodedFields(Samples.lunch([item]))))
    #expect(writer.isDocument(EncodedFields(Samples.lunch([Samples.item("A")]))))
  }

  @Test func `of days are served as sums and read as such`() throws {
    let collection = Samples.collection("dailySummaries")
    var summary = DailySummary()
    let items = Samples.lunch([Samples.item("A", ["energyKcal": 200, "fatMg": 7])]).items(in: "items")
    summary.put(items, of: "L", stamp: Samples.stamp, amounts: Samples.schema.summed)
    let document = Document(
      DocumentName("dailySummaries", "2026-11-21"), of: "nanny", version: 1, tag: DocumentTag(dataset: 7, sequence: 9),
      deviceID: "server", committedAt: Samples.stamp,
      fields: summary.fields(stamp: Samples.stamp, amounts: Samples.schema.summed))
    let json = try #require(DocumentWriter(collection, of: Samples.schema).json(of: document))
    #expect(json["totals"]?["energyKcal"] == 200 && json["meals"] == 1 && json["items"] == 1 && json["parts"] == nil)
    let fields = try DocumentReader(collection, of: Samples.schema).fields(ofServed: json)
    var expected = document.fields
    expected["parts"] = nil
    #expect(Samples.bytes(fields) == Samples.bytes(expected))
    #expect(throws: ChangeError.self) {
      try DocumentReader(collection, of: Samples.schema).fields(ofServed: ["updatedAt": "2026-11-21T12:00:00Z"])
    }
  }
}

extension Fields {
  /// Makes no item's edit later than that time.
  fileprivate mutating func limitItems(to stamp: WallTime) {
    let items = (items(in: "items") ?? []).compactMap { item -> DocumentItem? in
      guard var members = item.json.object, item.updatedAt > stamp.milliseconds else { return item }
      members.append(JSON.Member("updatedAt", .integer(stamp.milliseconds)))
      return DocumentItem(.object(members))
    }
    set(items, in: "items")
  }
}

extension DocumentWriter {
  /// The document as clients get it; nil if it is none.
  fileprivate func json(of document: Document) -> JSON? {
    var text: [UInt8] = []
    return append(document, to: &text) ? try? JSON(parsing: text) : nil
  }
}
