import Testing
import ZoneKit

/// A shopping list: the newest edit of a field counts, and what somebody put into the basket stays there.
let shopping = SyncApp(
  zones: ["Shopping"], recordTypes: ["Item"], stampField: "changedAt",
  mergePolicy: MergePolicy { conflict in
    guard let mine = conflict.local, let theirs = conflict.server else { return Resolution(.delete, rule: "delete") }
    var fields = FieldMerge.merge(
      local: mine.decoded, server: theirs.decoded, ancestor: conflict.ancestor?.decoded,
      winner: isNewer(mine, than: theirs) ? .local : .server)
    if mine["isBought"] == true || theirs["isBought"] == true { fields["isBought"] = true }
    return Resolution(.merged(RecordContent(fields)), rule: "basket")
  })

private func isNewer(_ mine: RecordContent, than theirs: RecordContent) -> Bool {
  guard case .timestamp(let one)? = mine["changedAt"], case .timestamp(let other)? = theirs["changedAt"], one != other
  else { return mine.fields.utf8.lexicographicallyPrecedes(theirs.fields.utf8) }
  return one > other
}

@Test func `what Anna bought stays bought, whatever Ben writes without a net`() throws {
  let world = World(shopping, devices: ["Anna", "Ben"], seed: 7)
  try world["Anna"].save("milk", ["title": "Milk", "isBought": false])
  try world.expectConvergence()

  world["Ben"].goOffline()
  try world["Anna"].change("milk") { $0["isBought"] = true }
  try world["Ben"].change("milk") { $0["title"] = "Oat milk" }
  world.wait(.minutes(5))
  world["Ben"].goOnline()

  try world.expectConvergence(within: .seconds(10))
  #expect(world["Anna"].record("milk")?["title"] == "Oat milk")
  #expect(world["Ben"].record("milk")?["isBought"] == true)
  try world.expectNoLostEdits()
}
