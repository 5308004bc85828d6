import Testing
import ZoneKitRecords
import ZoneKitMemoryStores

@testable import ZoneKitSync

@Suite struct `the stamps of one command` {
  private func ledger(
    _ stamping: CoordinatorConfiguration.Stamping, _ records: [LocalRecord] = []
  ) throws -> Ledger<MemoryDeviceStore> {
    var configuration = CoordinatorConfiguration(mergePolicy: Sample.configuration.merging.policy, stampField: "stamp")
    configuration.merging.stamping = stamping
    return try Sample.ledger(records, configuration: configuration)
  }

  private func fields(_ text: String, _ stamps: [Name: Int64] = [:]) -> Fields {
    var fields = Fields()
    fields["text"] = .string(text)
    for name in stamps.keys.sorted() { fields[name] = stamps[name].map { .timestamp(WallTime(milliseconds: $0)) } }
    return fields
  }

  private func known(_ name: Name, _ text: String, _ stamps: [Name: Int64]) -> LocalRecord {
    let content = RecordContent(fields: EncodedFields(fields(text, stamps)))
    return Sample.local(name, content, server: Sample.version(content))
  }

  private func save(
    _ name: Name, _ text: String, _ stamping: RecordEdit.Stamping = .now, given stamps: [Name: Int64] = [:]
  ) -> RecordEdit {
    .save(Sample.id(name), type: "Item", fields: fields(text, stamps), parent: nil, stamping: stamping)
  }

  private func stamp(
    _ name: Name, _ field: Name = "stamp", in ledger: Ledger<MemoryDeviceStore>
  ) throws -> Int64? {
    guard case .timestamp(let time)? = try ledger.store.record(Sample.id(name))?.local?.fields.decoded()[field] else {
      return nil
    }
    return time.milliseconds
  }

  @Test func `are one above all that they replace`() throws {
    var ledger = try ledger(.together, [known("A", "a", ["stamp": 7_000]), known("B", "b", ["stamp": 90])])
    _ = try ledger.edit([save("A", "x"), save("B", "x"), save("C", "x")], at: Sample.moment(5_000))
    #expect(try ["A", "B", "C"].map { try stamp($0, in: ledger) } == [7_001, 7_001, 7_001])
    _ = try ledger.edit([save("B", "y"), save("C", "y")], at: Sample.moment(5_000))
    #expect(try ["A", "B", "C"].map { try stamp($0, in: ledger) } == [7_001, 7_002, 7_002])
  }

  @Test func `are one for each edit where each gets its own`() throws {
    var ledger = try ledger(.each, [known("A", "a", ["stamp": 7_000])])
    _ = try ledger.edit([save("B", "x"), save("C", "x"), save("A", "x")], at: Sample.moment(5_000))
    #expect(try ["B", "C", "A"].map { try stamp($0, in: ledger) } == [5_000, 5_001, 7_001])
  }

  @Test func `leave a record out that the command does not change`() throws {
    var ledger = try ledger(.together, [known("A", "a", ["stamp": 7_000])])
    _ = try ledger.edit([save("A", "a", given: ["stamp": 1]), save("B", "x")], at: Sample.moment(5_000))
    #expect(try ["A", "B"].map { try stamp($0, in: ledger) } == [7_000, 5_000])
    #expect(try ledger.edit([save("A", "a")], at: Sample.moment(9_000)) == nil)
    #expect(ledger.memory.time(.lastStamp) == WallTime(milliseconds: 5_000))
  }

  @Test func `go into the parts of a record that an edit changes, if the app wants that`() throws {
    var configuration = CoordinatorConfiguration(mergePolicy: Sample.configuration.merging.policy, stampField: "stamp")
    // A part is a text; its stamp stands behind it.
    configuration.merging.stampParts = { fields, before, stamp in
      var fields = fields
      if fields["text"] != before?["text"] { fields["textStamp"] = .timestamp(stamp) }
      return fields
    }
    var ledger = try Sample.ledger(
      [known("A", "a", ["stamp": 7_000, "textStamp": 6_000])], configuration: configuration)
    _ = try ledger.edit([save("A", "a", given: ["textStamp": 6_000, "other": 1])], at: Sample.moment(5_000))
    #expect(try stamp("A", "textStamp", in: ledger) == 6_000)
    _ = try ledger.edit([save("A", "b"), save("B", "b")], at: Sample.moment(8_000))
    #expect(try stamp("A", "textStamp", in: ledger) == stamp("A", in: ledger))
    #expect(try stamp("B", "textStamp", in: ledger) == stamp("B", in: ledger))
    _ = try ledger.edit([save("A", "c", .asGiven, given: ["stamp": 3])], at: Sample.moment(9_000))
    #expect(try stamp("A", "textStamp", in: ledger) == nil)
  }

  @Test func `leave a stamp alone that is given`() throws {
    var ledger = try ledger(.together)
    _ = try ledger.edit(
      [save("A", "x", .asGiven, given: ["stamp": 3]), save("B", "x")], at: Sample.moment(5_000))
    #expect(try ["A", "B"].map { try stamp($0, in: ledger) } == [3, 5_000])
  }

  @Test(arguments: CoordinatorConfiguration.Stamping.allCases)
  func `are set in other fields too where an edit says so`(stamping: CoordinatorConfiguration.Stamping) throws {
    var ledger = try ledger(stamping, [known("A", "a", ["stamp": 7_000])])
    let deletion = save("A", "a", .nowAlso(["deleted"]), given: ["deleted": 1])
    _ = try ledger.edit([deletion], at: Sample.moment(9_000))
    #expect(try ["stamp", "deleted"].map { try stamp("A", $0, in: ledger) } == [9_000, 9_000])
    #expect(try ledger.edit([deletion], at: Sample.moment(9_500)) == nil)
  }
}
