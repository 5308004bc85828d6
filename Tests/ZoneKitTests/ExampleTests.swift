import Testing
import ZoneKit

/// A shopping list: the newest edit of a field counts, and what somebody has bought stays bought.
let shopping = SyncApp(
  zones: ["Shopping"], recordTypes: ["Item"], stampField: "changedAt",
  mergePolicy: MergePolicy { conflict in
    guard let mine = conflict.local, let theirs = conflict.server else { return Resolution(.delete, rule: "delete") }
    var fields = FieldMerge.merge(
      local: mine.decoded, server: theirs.decoded, ancestor: conflict.ancestor?.decoded,
      winner: mine.isNewer(than: theirs, by: "changedAt") ? .local : .server)
    if mine["isBought"] == true || theirs["isBought"] == true { fields["isBought"] = true }
    return Resolution(.merged(RecordContent(fields)), rule: "bought")
  })

@Test func `what Anna buys stays bought, whatever Ben writes offline`() throws {
  let world = World(shopping, devices: ["Anna", "Ben"])
  let (anna, ben) = (world["Anna"], world["Ben"])
  try anna.save("milk", ["title": "Milk", "isBought": false])
  try world.expectConvergence()

  ben.goOffline()
  try anna.change("milk") { $0["isBought"] = true }
  try ben.change("milk") { $0["title"] = "Oat milk" }
  world.wait(.minutes(5))
  ben.goOnline()

  try world.expectConvergence(within: .seconds(10))
  #expect(anna.record("milk")?["title"] == "Oat milk")
  #expect(ben.record("milk")?["isBought"] == true)
  try world.expectNoLostEdits()
}

@Test func `random shoppers lose nothing, whatever fails`() throws {
  try shopping.swarm(seeds: 1...5, devices: 2, duration: .minutes(2)) { view, chance in
    let id = view.app.id(Name("item\(Int.random(in: 1...4, using: &chance))"))
    guard Int.random(in: 0..<8, using: &chance) > 0 else { return [.delete(id)] }
    var fields = view.record(id) ?? ["isBought": false]
    fields["title"] = .string("title \(Int.random(in: 0..<1_000, using: &chance))")
    return [.save(id, type: "Item", fields: fields, parent: nil, stamping: .now)]
  }
}
