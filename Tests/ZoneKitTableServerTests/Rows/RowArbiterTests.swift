import Testing
import ZoneKitRecords
import ZoneKitTableServer
import ZoneKitTables

@Suite struct `the arbiter` {
  private let table = TestRows.table
  private let now = WallTime(milliseconds: 1_000_000)

  private func time(_ milliseconds: Int64) -> RowValue { .timestamp(WallTime(milliseconds: milliseconds)) }

  /// A stored row with that name, edited at that time, whose stamp is 500.
  private func stored(_ name: String, editedAt: Int64, _ more: [Name: RowValue] = [:]) -> Row {
    var row = Row(table.columns.map { _ in .null })
    row[.id, table] = .uuid(TestRows.id(1))
    row["name", table] = .text(name)
    row[.editedAt, table] = time(editedAt)
    row[.updatedAt, table] = time(500)
    for (column, value) in more { row[column, table] = value }
    return row
  }

  private func decision(
    _ content: [Name: RowValue], over row: Row?, applied: AppliedChanges = AppliedChanges()
  ) -> RowArbiter.Decision {
    RowArbiter(table: table, now: now).decision(on: RowContent(content), over: row, applied: applied)
  }

  /// The edit stamp with which the arbiter takes a version; nil if it does not take it.
  private func stamp(_ content: [Name: RowValue], over row: Row?) -> Int64? {
    switch decision(content, over: row) {
    case .insert(let row), .update(let row, lost: _): row[.editedAt, table].time?.milliseconds
    case .same, .repeated, .keep: nil
    }
  }

  @Test func `inserts with the edit stamp, else the stamp sent, else the present time, at most two minutes ahead`() {
    #expect(stamp([.editedAt: time(7), .updatedAt: time(9)], over: nil) == 7)
    #expect(stamp([.updatedAt: time(9)], over: nil) == 9)
    #expect(stamp([:], over: nil) == 1_000_000)
    #expect(stamp([.editedAt: time(1_120_000)], over: nil) == 1_120_000)
    #expect(stamp([.editedAt: time(1_120_001)], over: nil) == 1_120_000)
  }

  @Test func `fills in defaults and the time of creation of a new row`() {
    guard case .insert(let row) = decision(["name": .text("a")], over: nil) else { return }
    #expect(row["amount", table] == .float8(0) && row[.createdAt, table] == time(1_000_000))
  }

  @Test func `keeps the later edit, and says which rule decided`() {
    let row = stored("a", editedAt: 10)
    #expect(decision(["name": .text("b"), .editedAt: time(11)], over: row).isUpdate(lost: .editedAt))
    guard case .keep(let loser, .editedAt) = decision(["name": .text("b"), .editedAt: time(9)], over: row) else {
      Issue.record("the earlier edit won")
      return
    }
    #expect(loser["name", table] == .text("b"))
  }

  @Test func `a row that the server made and nobody wrote loses without a conflict`() {
    let offered: [Name: RowValue] = ["name": .text("b"), .editedAt: time(11)]
    #expect(decision(offered, over: stored("Me", editedAt: 0)).isUpdate(lost: nil))
    let written = stored("Me", editedAt: 0, [.changedBy: .text("D7:1")])
    #expect(decision(offered, over: written).isUpdate(lost: .editedAt))
    #expect(decision(offered, over: stored("Me", editedAt: 1)).isUpdate(lost: .editedAt))
  }

  @Test func `prefers living rows, then the greater content, if stamps are equal`() {
    let row = stored("b", editedAt: 10)
    #expect(decision([.deletedAt: time(3), .editedAt: time(10)], over: row).verdict == .kept)
    let deleted = stored("b", editedAt: 10, [.deletedAt: time(3)])
    #expect(decision([.deletedAt: .null, .editedAt: time(10)], over: deleted).isUpdate(lost: .alive))
    #expect(decision(["name": .text("c"), .editedAt: time(10)], over: row).isUpdate(lost: .content))
    #expect(decision(["name": .text("a"), .editedAt: time(10)], over: row).verdict == .kept)
  }

  @Test func `lets a writer win that had seen the stored version, with any clock`() {
    let row = stored("a", editedAt: 10)
    let content: [Name: RowValue] = ["name": .text("b"), .editedAt: time(2), .updatedAt: time(500)]
    #expect(stamp(content, over: row) == 11)
    #expect(decision(content, over: row).isUpdate(lost: nil))
    #expect(stamp(["name": .text("b"), .updatedAt: time(500)], over: row) == 1_000_000)
    #expect(decision(["name": .text("b"), .editedAt: time(2), .updatedAt: time(499)], over: row).verdict == .kept)
  }

  @Test func `lets a writer win that sends no stamps, and one with an older stamp lose`() {
    let future = stored("a", editedAt: 2_000_000)
    #expect(stamp(["name": .text("b")], over: future) == 2_000_001)
    #expect(decision(["name": .text("b"), .updatedAt: time(499)], over: stored("a", editedAt: 600)).verdict == .kept)
    #expect(
      decision(["name": .text("b"), .updatedAt: time(700)], over: stored("a", editedAt: 600)).verdict == .updated)
  }

  @Test func `changes nothing if the content is the same, with any stamps`() {
    let row = stored("a", editedAt: 10)
    #expect(decision(["name": .text("a"), .editedAt: time(99)], over: row) == .same)
    #expect(decision(["name": .text("a"), .changedBy: .text("d:7")], over: row) == .same)
    #expect(decision([:], over: row) == .same)
  }

  @Test func `knows a repeat by device, revision and content`() {
    let row = stored("z", editedAt: 99)
    let content = RowContent(["name": .text("a"), .editedAt: time(10), .changedBy: .text("d:7")])
    var applied = AppliedChanges()
    applied.add(RowRevision(deviceID: "d", revision: 7), hash: content.hash)
    #expect(decision(content.values, over: row, applied: applied) == .repeated)
    var later = content.values
    later[.updatedAt] = time(500)
    #expect(decision(later, over: row, applied: applied) == .repeated)
    later["name"] = .text("b")
    #expect(decision(later, over: row, applied: applied).verdict == .updated)
  }

  @Test func `keeps a writer's later edit if a copy of its earlier one comes late, also if both stamps are far ahead`()
  {
    var applied = AppliedChanges()
    applied.add(RowRevision(deviceID: "d", revision: 8), hash: 1)
    // The stored version was cut when it arrived, some time ago.
    let row = stored("later", editedAt: 1_119_000, [.changedBy: .text("d:8")])
    func verdict(_ revision: String, editedAt: Int64) -> RowVerdict {
      let content: [Name: RowValue] = ["name": .text("x"), .editedAt: time(editedAt), .changedBy: .text(revision)]
      return decision(content, over: row, applied: applied).verdict
    }
    #expect(verdict("d:7", editedAt: 9_000_000) == .kept)
    #expect(verdict("d:9", editedAt: 9_000_000) == .updated)
    #expect(verdict("e:7", editedAt: 9_000_000) == .updated)
    // A stamp that is not cut is that of the edit.
    #expect(verdict("d:7", editedAt: 1_119_500) == .updated)
  }

  @Test func `writes the author, or that there is none`() {
    let row = stored("a", editedAt: 10, [.changedBy: .text("d:1")])
    for author in [nil, "e:2"] as [String?] {
      var content: [Name: RowValue] = ["name": .text("b")]
      content[.changedBy] = author.map { .text($0) }
      guard case .update(let written, lost: _) = decision(content, over: row) else { continue }
      #expect(written[.changedBy, table].text == author)
    }
  }

  @Test func `keeps the same of different versions in any order of arrival`() {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let versions = (0..<5).map { number in
        RowContent([
          .id: .uuid(TestRows.id(1)), .createdAt: time(0),
          "name": .text("name \(number)"), "amount": .float8(0),
          .deletedAt: Bool.random(using: &generator) ? .null : time(Int64.random(in: 1...2, using: &generator)),
          .editedAt: time(Int64.random(in: 1...3, using: &generator)), .changedBy: .text("d\(number):1"),
        ])
      }
      var results: Set<[UInt8]> = []
      for _ in 0..<4 {
        var row: Row?
        for version in versions.shuffled(using: &generator) {
          switch RowArbiter(table: table, now: now).decision(on: version, over: row) {
          case .insert(let new), .update(let new, lost: _): row = new
          case .same, .repeated, .keep: break
          }
        }
        if let row { results.insert(RowOrder.canonicalBytes(row, in: table)) }
      }
      #expect(results.count == 1)
    }
  }
}

extension RowArbiter.Decision {
  fileprivate func isUpdate(lost rule: RowOrder.Rule?) -> Bool {
    if case .update(_, lost: rule) = self { true } else { false }
  }
}
