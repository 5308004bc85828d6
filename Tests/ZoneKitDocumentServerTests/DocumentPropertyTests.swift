import Testing
import ZoneKitCloud
import ZoneKitDietLog
import ZoneKitDocumentServer
import ZoneKitDocuments
import ZoneKitRecords

@Suite struct `random pushes` {
  /// Random changes of few documents.
  private struct Draw {
    var generator: SplitMix64

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func change(_ test: inout TestDocuments) -> DocumentChange {
      let second = Int64(number(0..<6))
      let id = ["a", "b"][number(0..<2)]
      let isWeight = number(0..<5) == 0
      let name = DocumentName(isWeight ? "weightLogs" : "foodLogs", id)
      // No client names a version that there never was.
      let newest = test.document(name)?.version ?? 0
      let base: DocumentChange.Base = [.none, .version(Int64.random(in: 0...newest, using: &generator))][number(0..<2)]
      if isWeight { return Sample.weight(70_000 + number(0..<3), id: id, base: base, at: second) }
      switch number(0..<4) {
      case 0:
        return Sample.delete(name, base: base, at: second, erases: number(0..<4) == 0)
      default:
        let items = ["x", "y", "z"].filter { _ in number(0..<2) == 0 }.map {
          Sample.item($0, "Oats", kcal: number(0..<3) * 100, at: Int64(number(0..<6)), isRemoved: number(0..<4) == 0)
        }
        let day = ["2026-11-21", "2026-11-22"][number(0..<2)]
        return Sample.log(id, items, day: day, base: base, at: second, number(0..<2) == 0 ? .create : .update)
      }
    }
  }

  private static let amounts = DietLog.schema.summed

  /// The sums of a day, from the logs themselves.
  private func sums(of logs: [Fields], on day: String) -> DailySummary {
    var sums = DailySummary()
    for (index, fields) in logs.enumerated() where fields["loggedDate"] == .string(day) && !fields.isDeleted {
      sums.put(
        fields.items(in: "items") ?? [], of: "log\(index)", stamp: fields.editedAt, amounts: Self.amounts)
    }
    return sums
  }

  @Test(arguments: 1...30)
  func `keep the sums of each day equal to those of its logs`(seed: UInt64) throws {
    var test = TestDocuments(seed: seed)
    var draw = Draw(generator: SplitMix64(seed: seed))
    for _ in 0..<25 {
      let changes = (0..<draw.number(1..<4)).map { _ in draw.change(&test) }
      _ = test.push(changes, draw.number(0..<2) == 0 ? .client : .server)
      let logs = ["a", "b"].compactMap { test.fields(DocumentName("foodLogs", $0)) }
      for day in ["2026-11-21", "2026-11-22"] {
        guard let found = test.fields(DocumentName("dailySummaries", day)) else { continue }
        let wanted = sums(of: logs, on: day).fields(stamp: found.editedAt, amounts: Self.amounts)
        for name in Self.amounts.names + ["meals", "items"] {
          #expect(found[name] == wanted[name], "\(name) of \(day)")
        }
      }
    }
  }

  @Test(arguments: 1...30)
  func `change nothing the second time`(seed: UInt64) {
    var test = TestDocuments(seed: seed)
    var draw = Draw(generator: SplitMix64(seed: seed))
    for _ in 0..<25 {
      let change = draw.change(&test)
      let decider: DocumentPush.Decider = draw.number(0..<2) == 0 ? .client : .server
      _ = test.push(change, decider)
      let before = test.document(change.name)
      _ = test.push(change, decider)
      #expect(test.document(change.name) == before, "after \(change)")
    }
  }

  @Test(arguments: 1...20)
  func `in which the server decides end equal in any order, but for logs that clients have to merge`(seed: UInt64) {
    var draw = Draw(generator: SplitMix64(seed: seed))
    let offers = (0..<6).map { _ in Sample.weight(70_000 + draw.number(0..<4), at: Int64(draw.number(0..<4))) }
    var ends: Set<[UInt8]> = []
    for _ in 0..<6 {
      var test = TestDocuments(seed: seed)
      for offer in offers.shuffled(using: &draw.generator) { _ = test.push(offer, .server) }
      ends.insert(EncodedFields(test.fields(Sample.weight) ?? Fields()).utf8)
    }
    #expect(ends.count == 1)
  }

  @Test(arguments: 1...20)
  func `lose no item of any client that merges by the later edit and sends again`(seed: UInt64) {
    var test = TestDocuments(seed: seed)
    var draw = Draw(generator: SplitMix64(seed: seed))
    let merge = DocumentMerge(DietLog.schema.collections[0])
    for step in 0..<12 {
      let change = Sample.log(
        "a", [Sample.item("i\(step)", "Oats", at: Int64(draw.number(0..<9)))], at: Int64(draw.number(0..<9)))
      var isDone = false
      for _ in 0..<2 where !isDone {
        guard let outcome = test.push(change, .server) else { continue }
        guard case .conflict(.merge, let document?, _) = outcome else {
          isDone = true
          continue
        }
        let reader = DocumentReader(DietLog.schema.collections[0], of: DietLog.schema)
        guard let mine = try? reader.fields(after: change, before: nil, of: "nanny") else { continue }
        let both = merge.join(document.fields, mine)
        let writer = DocumentWriter(DietLog.schema.collections[0], of: DietLog.schema)
        let again = DocumentChange(
          .update, change.name, base: .tag(document.tag), at: max(both.editedAt, Sample.time(9)),
          data: writer.data(of: both))
        guard case .applied? = test.push(again, .server) else { continue }
        isDone = true
      }
      #expect(isDone)
      let ids = test.fields(DocumentName("foodLogs", "a"))?.items(in: "items")?.map(\.id) ?? []
      #expect(Set(ids).isSuperset(of: (0...step).map { "i\($0)" }))
    }
  }
}
