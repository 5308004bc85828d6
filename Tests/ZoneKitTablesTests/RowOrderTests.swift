import Testing
import ZoneKitRecords
import ZoneKitTables

@Suite struct `the order of versions` {
  private func verdict(_ first: [Name: RowValue], _ second: [Name: RowValue]) -> RowOrder.Verdict {
    RowOrder.compare(Samples.row(first), Samples.row(second), in: Samples.table)
  }

  @Test func `puts the later edit stamp first with any content`() {
    #expect(
      verdict([.editedAt: Samples.time(2)], [.editedAt: Samples.time(1), "name": .text("z")]) == .first(.editedAt))
    #expect(verdict([.editedAt: Samples.time(1)], [.editedAt: Samples.time(2)]) == .second(.editedAt))
  }

  @Test func `takes a missing edit stamp for 1970`() {
    #expect(verdict([:], [.editedAt: Samples.time(0)]) == .equal)
    #expect(verdict([:], [.editedAt: Samples.time(1)]) == .second(.editedAt))
    #expect(verdict([:], [.editedAt: Samples.time(-1)]) == .first(.editedAt))
  }

  @Test func `puts living before deleted if the stamps are equal`() {
    #expect(verdict(["name": .text("a")], [.deletedAt: Samples.time(5), "name": .text("z")]) == .first(.alive))
    #expect(verdict([.deletedAt: Samples.time(5)], [:]) == .second(.alive))
  }

  @Test func `compares the bytes of the content last`() {
    #expect(verdict(["name": .text("b")], ["name": .text("a")]) == .first(.content))
    #expect(verdict(["name": .text("ä")], ["name": .text("a\u{308}")]) != .equal)
  }

  @Test func `ignores the owner and the stamps of the server`() {
    let stamps: [Name: RowValue] = [
      .ownerID: .uuid(Samples.account), .updatedAt: Samples.time(9), .changedBy: .text("d:1"),
    ]
    #expect(verdict(stamps, [:]) == .equal)
    #expect(verdict([.createdAt: Samples.time(1)], [:]) != .equal)
  }

  @Test func `is total, antisymmetric and transitive, and equal versions have equal content`() {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<10_000 {
      let rows = (0..<3).map { _ in sparse(using: &generator) }
      let orders = [(0, 1), (1, 2), (0, 2)].map { RowOrder.compare(rows[$0.0], rows[$0.1], in: Samples.table) }
      #expect(RowOrder.compare(rows[1], rows[0], in: Samples.table) == orders[0].reversed)
      #expect(RowOrder.compare(rows[0], rows[0], in: Samples.table) == .equal)
      if orders[0].isFirst, orders[1].isFirst { #expect(orders[2].isFirst) }
      if orders[0] == .equal {
        #expect(RowOrder.isContentEqual(rows[0], rows[1], in: Samples.table))
        #expect(orders[1].isFirst == orders[2].isFirst)
      }
    }
  }

  /// A row with few different values, so that ties are frequent.
  private func sparse(using generator: inout SplitMix64) -> Row {
    Samples.row([
      .editedAt: Samples.time(Int64.random(in: 0...1, using: &generator)),
      .deletedAt: Bool.random(using: &generator) ? .null : Samples.time(4),
      "name": Samples.value(.text, using: &generator), .changedBy: Samples.value(.text, using: &generator),
    ])
  }
}

extension RowOrder.Verdict {
  fileprivate var isFirst: Bool { if case .first = self { true } else { false } }

  fileprivate var reversed: RowOrder.Verdict {
    switch self {
    case .equal: .equal
    case .first(let rule): .second(rule)
    case .second(let rule): .first(rule)
    }
  }
}
