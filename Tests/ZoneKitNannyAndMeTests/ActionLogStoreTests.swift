import ZoneKitRecords
import ZoneKitStoreConformance
import ZoneKitSync
import Testing

@testable import ZoneKitNannyAndMe

struct ActionLogStoreTests {
  @Test func `running actions are on top, then the newest start comes first`() throws {
    let device = try TestDevice([
      .sleep(1, from: 0, to: 5), .sleep(2, from: 9, to: 12), .sleep(3, from: 4), .sleep(5, from: 9, to: 10),
    ])
    #expect(device.app.log.list().map(\.id) == [actionID(3), actionID(2), actionID(5), actionID(1)])
    #expect(device.app.log.list(2).map(\.id) == [actionID(3), actionID(2)])
    #expect(device.app.log.list(-1).isEmpty)
  }

  @Test func `an action is found by the beginning of its ID in any case`() throws {
    let device = try TestDevice([.sleep(0xAB1, from: 0), .sleep(0xAB2, from: 1), .sleep(0xC, from: 2)])
    #expect(device.app.log.actions(withIDPrefix: "00000ab").map(\.id) == [actionID(0xAB2), actionID(0xAB1)])
    #expect(device.app.log.actions(withIDPrefix: "00000ab1").map(\.id) == [actionID(0xAB1)])
    #expect(device.app.log.actions(withIDPrefix: "F").isEmpty)
  }

  @Test func `a record that is not a valid action is named with the reason and not shown`() throws {
    var device = try TestDevice()
    let odd = Fields([Field(name: "category", value: .string("bath"))])
    let damaged = RecordContent(fields: EncodedFields(canonical: Array("{".utf8)))
    try device.put(actionID(2), type: BabyAction.recordType, damaged)
    try device.put(actionID(1), type: BabyAction.recordType, RecordContent(fields: EncodedFields(odd)))
    #expect(device.app.log.list().isEmpty)
    #expect(device.app.log.refused.map(\.id) == [actionID(1), actionID(2)])
    #expect(device.app.log.refused[0].reason == "the field category must be one of sleep, diaper, feeding")
    #expect(device.app.log.refused[1].reason.hasPrefix("the stored fields are damaged: field text:"))
    try device.save([RecordEdit(.sleep(1, from: 0), stamping: .asGiven)])
    #expect(device.app.log.refused.map(\.id) == [actionID(2)])
  }

  @Test func `an action of another writer is shown as the rules of the app have it`() throws {
    var diaper = BabyAction.sleep(1, from: 10, to: 90)
    diaper.category = .diaper
    let device = try TestDevice([diaper])
    #expect(device.app.log.list()[0].endDate == .minute(10))
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `bringing the log up to date gives what building it anew gives`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var device = try TestDevice()
    for _ in 0..<40 {
      let changes = (0..<Int.random(in: 0...4, using: &generator)).map { _ in Self.change(using: &generator) }
      var seen: [RecordID] = []
      let edits = changes.filter { edit in
        defer { seen.append(edit.recordID) }
        return !seen.contains(edit.recordID)
      }
      try device.save(edits)
    }
    #expect(device.app == (try NannyApp(user: "nanny", rebuiltFrom: device.store)))
  }

  @Test func `a long notice that names a record twice gives what building anew gives`() throws {
    var device = try TestDevice()
    try device.save((0..<40).map { RecordEdit(.sleep($0, from: Int64($0 % 7), to: 9), stamping: .asGiven) })
    var app = device.app
    try app.refresh((0..<20).flatMap { [actionID($0), actionID($0)] }, from: device.store)
    #expect(app == (try NannyApp(user: "nanny", rebuiltFrom: device.store)))
    #expect(app == device.app)
  }

  @Test func `an action that comes or goes moves one block of the log`() {
    var order = ActionOrder()
    // A first sync brings the oldest actions first, and they belong to the end.
    for minute in 0..<2_000 { order.insert(.sleep(minute, from: Int64(minute), to: 3_000)) }
    #expect(order.actions.map(\.startDate) == (0..<2_000).reversed().map { .minute($0) })
    #expect(order.blockSizes.allSatisfy { (1...ActionOrder.blockLimit).contains($0) })
    var generator = SplitMix64(seed: 1)
    #expect(order == ActionOrder(order.actions.shuffled(using: &generator)))
    for minute in 0..<2_000 where minute % 100 != 0 {
      order.remove(.sleep(minute, from: Int64(minute), to: 3_000))
    }
    #expect(order.actions.map(\.startDate) == (0..<20).reversed().map { .minute($0 * 100) })
    #expect(!order.blockSizes.contains(0))
  }

  @Test func `a change of one record reads that record once, however long the log is`() throws {
    var device = try TestDevice()
    try device.save((0..<300).map { RecordEdit(.sleep($0, from: Int64($0), to: 400), stamping: .asGiven) })
    var app = device.app
    let store = CountingDeviceStore(device.store)
    try app.refresh([actionID(7), actionID(9)], from: store)
    #expect(store.counts.lookups == 2)
    #expect(store.counts.records == 2)
  }

  private static func change(using generator: inout SplitMix64) -> RecordEdit {
    let action = BabyAction.random(.random(in: 0...9, using: &generator), using: &generator)
    switch Int.random(in: 0...9, using: &generator) {
    case 0...1: return .delete(action.id)
    case 2: return .save(action.id, type: BabyAction.recordType, fields: Fields(), parent: nil, stamping: .asGiven)
    case 3:
      let id = actionID(.random(in: 100...102, using: &generator))
      return RecordEdit(Profile(id: id, name: "Mia", updatedAt: action.updatedAt), stamping: .asGiven)
    default: return RecordEdit(action, stamping: .asGiven)
    }
  }

  @Test func `totals add up counts, sleep and bottles, of a day where one is asked for`() {
    let actions: [BabyAction] = [
      .sleep(1, from: 0, to: 30), .sleep(2, from: 60, to: 75), .sleep(3, from: 90), .bottle(4, at: 5, volume: 120),
      .bottle(5, at: 95, volume: nil),
    ]
    let all = ActionTotals(of: actions)
    #expect(all.line == "3 sleep (45 min), 0 diaper, 2 feeding (120 ml), 1 running")
    let later = ActionTotals(of: actions, starting: .minute(60)..<WallTime.minute(95))
    #expect(later.line == "2 sleep (15 min), 0 diaper, 0 feeding (0 ml), 1 running")
  }
}
