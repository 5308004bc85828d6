import Testing
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `sums of documents` {
  private let amounts = Samples.schema.summed

  @Test func `leave out removed items, and take an unknown amount for zero`() {
    let items = Samples.lunch([
      Samples.item("A", ["energyKcal": 5]), Samples.item("B"), Samples.item("C", ["energyKcal": 7], isRemoved: true),
    ]).items(in: "items")
    let totals = DocumentTotals(of: items ?? [], amounts)
    #expect(totals["energyKcal"] == 5 && totals["fatMg"] == 0)
  }

  @Test func `end at the largest number`() {
    let items = ["A", "B"].map { Samples.item($0, ["fatMg": .integer(.max)]) }
    var totals = DocumentTotals(of: Samples.lunch(items).items(in: "items") ?? [], amounts)
    #expect(totals["fatMg"] == .max)
    totals.add(totals)
    #expect(totals["fatMg"] == .max && totals["energyKcal"] == 0)
  }

  @Test func `of a day are those of its documents after any changes in any order`() throws {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<50 {
      var logs: [String: [DocumentItem]] = [:]
      var summary = DailySummary()
      for _ in 0..<20 {
        let id = ["L1", "L2", "L3", "L4"].randomElement(using: &generator) ?? ""
        let items = Int.random(in: 0...3, using: &generator) == 0 ? nil : Samples.items(using: &generator)
        logs[id] = items
        summary.put(items, of: id, stamp: Samples.stamp, amounts: amounts)
        // What is stored after each change is the same as if it had been summed anew.
        let fields = summary.fields(stamp: Samples.stamp, amounts: amounts)
        summary = try #require(DailySummary(fields, amounts: amounts))
        var anew = DailySummary()
        for id in logs.keys.sorted().reversed() {
          anew.put(logs[id], of: id, stamp: Samples.stamp, amounts: amounts)
        }
        #expect(Samples.bytes(anew.fields(stamp: Samples.stamp, amounts: amounts)) == Samples.bytes(fields))
        let totals = DocumentTotals(of: logs.values.flatMap { $0 }, amounts)
        for amount in Samples.amounts { #expect(fields[amount] == .int64(totals[amount])) }
        #expect(fields["meals"] == .int64(Int64(logs.count)))
        #expect(fields["items"] == .int64(Int64(logs.values.reduce(0) { $0 + $1.count { !$0.isRemoved } })))
      }
    }
  }

  @Test func `of a day without documents are zero`() throws {
    var summary = DailySummary()
    summary.put([], of: "L", stamp: Samples.stamp, amounts: amounts)
    summary.put(nil, of: "L", stamp: Samples.stamp, amounts: amounts)
    let fields = summary.fields(stamp: Samples.stamp, amounts: amounts)
    #expect(fields["meals"] == .int64(0) && fields["items"] == .int64(0) && fields["energyKcal"] == .int64(0))
    #expect(DailySummary(fields, amounts: amounts) == DailySummary())
    #expect(DailySummary(Samples.lunch(), amounts: amounts) == nil)
  }
}
