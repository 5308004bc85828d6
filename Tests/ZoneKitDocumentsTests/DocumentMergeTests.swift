import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `merges of documents` {
  private let merge = Samples.merge

  private func bytes(_ fields: Fields) -> [UInt8] { Samples.bytes(fields) }

  private func showsSame(_ first: Fields, _ second: Fields) -> Bool {
    merge.showsSame(merge.version(first), merge.version(second))
  }

  @Test func `without an ancestor are commutative, associative and idempotent`() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<500 {
      let logs = (0..<3).map { _ in Samples.document(of: Samples.logs, using: &generator) }
      let pair = merge.join(logs[0], logs[1])
      #expect(bytes(pair) == bytes(merge.join(logs[1], logs[0])))
      #expect(bytes(merge.join(pair, logs[2])) == bytes(merge.join(logs[0], merge.join(logs[1], logs[2]))))
      #expect(bytes(merge.join(logs[0], logs[0])) == bytes(logs[0]))
      #expect(bytes(merge.join(pair, logs[1])) == bytes(pair))
    }
  }

  @Test func `with any ancestor are the same from both sides, and of equal versions change nothing`() {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<500 {
      let logs = (0..<3).map { _ in Samples.document(of: Samples.logs, using: &generator) }
      let merged = merge.merge(logs[0], logs[1], ancestor: logs[2])
      #expect(bytes(merged) == bytes(merge.merge(logs[1], logs[0], ancestor: logs[2])))
      #expect(bytes(merge.merge(logs[0], logs[0], ancestor: logs[2])) == bytes(logs[0]))
      let winner = merge.order(logs[0]) < merge.order(logs[1]) ? logs[1] : logs[0]
      #expect(merged.editedAt == winner.editedAt && merged.isDeleted == winner.isDeleted)
      #expect(merged.items(in: "items") == merge.join(logs[0], logs[1]).items(in: "items"))
    }
  }

  @Test func `order versions totally, and equal ones have equal headers`() {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<1_000 {
      let logs = (0..<3).map { _ in Samples.document(of: Samples.logs, using: &generator) }
      let orders = logs.map(merge.order)
      #expect([orders[0] < orders[1], orders[1] < orders[0], orders[0] == orders[1]].count(where: \.self) == 1)
      if orders[0] < orders[1], orders[1] < orders[2] { #expect(orders[0] < orders[2]) }
      guard orders[0] == orders[1] else { continue }
      var headers = logs
      for index in headers.indices { headers[index]["items"] = nil }
      #expect(bytes(headers[0]) == bytes(headers[1]))
    }
  }

  @Test func `put the later edit first, then the living version, then the greater bytes`() {
    func rule(_ greater: Fields, _ less: Fields) -> String? {
      let (greater, less) = (merge.order(greater), merge.order(less))
      return less < greater && !(greater < less) ? greater.rule(against: less) : nil
    }
    #expect(rule(Samples.lunch(at: 1, isDeleted: true), Samples.lunch(at: 0, notes: "z")) == "updatedAt")
    #expect(rule(Samples.lunch(), Samples.lunch(notes: "z", isDeleted: true)) == "alive")
    #expect(rule(Samples.lunch(notes: "b"), Samples.lunch(notes: "a")) == "content")
    #expect(rule(Samples.lunch([Samples.item("Z")], notes: "b"), Samples.lunch(notes: "a")) == "content")
    #expect(merge.order(Samples.lunch([Samples.item("Z")])) == merge.order(Samples.lunch()))
  }

  @Test func `keep the items of both sides, removed ones too`() {
    let both = merge.join(
      Samples.lunch(at: 1, [Samples.item("A"), Samples.item("B", at: 1, isRemoved: true)]),
      Samples.lunch(at: 0, [Samples.item("A"), Samples.item("B"), Samples.item("C")]))
    let items = both.items(in: "items") ?? []
    #expect(items.map(\.id) == ["A", "B", "C"])
    #expect(items.map(\.isRemoved) == [false, true, false])
  }

  @Test func `take of one item the later edit, then the living version`() throws {
    func union(_ first: JSON, _ second: JSON) -> DocumentItem? {
      merge.join(Samples.lunch([first]), Samples.lunch([second])).items(in: "items")?.first
    }
    let removed = Samples.item("A", at: 2, isRemoved: true)
    #expect(union(removed, Samples.item("A", at: 1, ["name": "z"]))?.isRemoved == true)
    #expect(union(removed, Samples.item("A", at: 2, ["name": "a"]))?.isRemoved == false)
    #expect(union(removed, Samples.item("A", at: 3))?.isRemoved == false)
    #expect(union(Samples.item("A", ["name": "a"]), Samples.item("A", ["name": "b"]))?.json["name"] == "b")
    #expect(
      union(Samples.item("A", ["name": "é"]), Samples.item("A", ["name": "e\u{301}"]))?.json["name"]
        .map { Array($0.string?.utf8 ?? "".utf8) } == Array("é".utf8))
  }

  @Test func `with an ancestor keep what only one side changed, and otherwise what the greater version has`() {
    let ancestor = Samples.lunch([Samples.item("A")], notes: "old", name: "old")
    let older = Samples.lunch(at: 1, [Samples.item("A", at: 1, ["name": "Rice"])], notes: "mine", name: "old")
    var newer = Samples.lunch(at: 2, [Samples.item("A"), Samples.item("B", at: 2)], notes: "theirs", name: nil)
    newer["mealType"] = .string("dinner")
    let merged = merge.merge(older, newer, ancestor: ancestor)
    #expect(
      merged["notes"] == .string("theirs") && merged["mealName"] == nil && merged["mealType"] == .string("dinner"))
    #expect(merged.items(in: "items")?.map { $0.json["name"] } == ["Rice", "Oats"])
    let swapped = merge.merge(
      Samples.lunch(at: 1, notes: "mine", name: "x"), Samples.lunch(at: 2, notes: "old", name: "old"),
      ancestor: ancestor)
    #expect(swapped["notes"] == .string("mine") && swapped["mealName"] == .string("x"))
    #expect(swapped.editedAt == Samples.time(2))
  }

  @Test func `never take the mark of deletion from the older version`() {
    let ancestor = Samples.lunch()
    let edited = Samples.lunch(at: 2)
    #expect(!merge.merge(Samples.lunch(at: 1, isDeleted: true), edited, ancestor: ancestor).isDeleted)
    #expect(merge.merge(Samples.lunch(at: 3, isDeleted: true), edited, ancestor: ancestor).isDeleted)
  }

  @Test func `compare the bytes of a field with the ancestor's`() {
    let ancestor = Samples.lunch(notes: "é")
    let merged = merge.merge(
      Samples.lunch(at: 2, notes: "e\u{301}"), Samples.lunch(at: 1, notes: "other"), ancestor: ancestor)
    #expect(merged["notes"] == .string("e\u{301}"))
  }

  @Test func `show the same if only stamps and removed items differ, or if both are deleted`() {
    let lunch = Samples.lunch([Samples.item("A")], notes: "n")
    #expect(showsSame(lunch, Samples.lunch(at: 9, [Samples.item("A", at: 9)], notes: "n")))
    #expect(showsSame(lunch, Samples.lunch([Samples.item("A"), Samples.item("B", isRemoved: true)], notes: "n")))
    #expect(!showsSame(lunch, Samples.lunch([Samples.item("A"), Samples.item("B")], notes: "n")))
    #expect(!showsSame(lunch, Samples.lunch([Samples.item("A", isRemoved: true)], notes: "n")))
    #expect(!showsSame(lunch, Samples.lunch([Samples.item("A")], notes: "m")))
    #expect(!showsSame(lunch, Samples.lunch([Samples.item("A")], notes: "n", isDeleted: true)))
    #expect(showsSame(Samples.lunch(isDeleted: true), Samples.lunch(at: 4, notes: "m", isDeleted: true)))
  }
}
