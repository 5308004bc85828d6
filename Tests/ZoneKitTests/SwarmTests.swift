import Testing
import ZoneKit

/// Swarms over an app of one's own.
struct SwarmTests {
  private static func edits(_ view: DeviceView, _ chance: inout Chance) -> [RecordEdit] {
    let id = view.app.id(Name("item\(Int.random(in: 1...4, using: &chance))"))
    guard Int.random(in: 0..<8, using: &chance) > 0 else { return [.delete(id)] }
    var fields = view.record(id) ?? ["isBought": false]
    fields["title"] = .string("title \(Int.random(in: 0..<1_000, using: &chance))")
    return [.save(id, type: "Item", fields: fields, parent: nil, stamping: .now)]
  }

  @Test func `an app with a total order survives a swarm`() throws {
    try shopping.swarm(
      seeds: 1...5, devices: 2, duration: .minutes(2), troubles: [.offline, .link, .push, .kill], edits: Self.edits)
  }

  @Test func `every trouble can be made`() throws {
    for trouble in Trouble.allCases {
      try shopping.swarm(seeds: 0...0, devices: 2, duration: .minutes(1), troubles: [trouble], edits: Self.edits)
    }
  }

  @Test func `an app that prefers itself is found out, with a seed and a short story`() throws {
    var selfish = shopping
    selfish.configuration.merging.policy = MergePolicy { _ in Resolution(.keepLocal, rule: "mine") }
    selfish.objection = { $0.rule == "mine" ? "nobody may prefer themselves" : nil }
    let failure = #expect(throws: SwarmFailure.self) {
      try selfish.swarm(seeds: 1...20, devices: 2, duration: .minutes(5), troubles: [.offline], edits: Self.edits)
    }
    let found = try #require(failure)
    #expect(found.violation.contains("nobody may prefer themselves"))
    #expect(found.story.count < 12, "\(found.story)")
    #expect(found.description.hasPrefix("seed \(found.seed): decision"))
    #expect(found.timelineSVG.hasPrefix("<?xml"))
  }
}
