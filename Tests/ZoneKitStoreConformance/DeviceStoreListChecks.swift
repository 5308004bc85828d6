import ZoneKitRecords
import ZoneKitSync

extension DeviceStoreConformance {
  /// Checks about values, the growing lists and erasing.
  static var listChecks: [Check] {
    [
      ("values are set, replaced and removed", { try $0.checkValues() }),
      ("the app's values are set, replaced and removed, apart from the others", { try $0.checkAppValues() }),
      ("erasing takes the app's values unless they are kept", { try $0.checkAppValueErasure() }),
      ("a notification ID is known once seen", { try $0.checkNotifications() }),
      ("the notification ring keeps the newest", { try $0.checkNotificationCount() }),
      ("the notification ring forgets the old", { try $0.checkNotificationAge() }),
      ("the journal keeps the first entry of an ID, newest first", { try $0.checkConflicts() }),
      ("the journal keeps the newest entries", { try $0.checkConflictBound() }),
      ("traces come newest first and are bounded", { try $0.checkTraces() }),
      ("erasing records keeps the rest", { try $0.checkErasure(.recordsAndZones, keeping: "journal,values,ring") }),
      ("erasing all but the journal keeps the journal", { try $0.checkErasure(.allButJournal, keeping: "journal") }),
      ("erasing everything keeps nothing", { try $0.checkErasure(.everything, keeping: "") }),
      ("a transition may erase and fill", { try $0.checkErasureAndFill() }),
    ]
  }

  private func checkValues() throws {
    let store = try store(
      after: DeviceTransition(values: [
        ValueChange(.account, .text("nanny é")), ValueChange(.revision, .integer(1)),
        ValueChange(.pushToken, .text("")),
      ]),
      DeviceTransition(values: [ValueChange(.revision, .integer(.max)), ValueChange(.pushToken, nil)]))
    try expect(
      try store.values(), is: [.account: .text("nanny é"), .revision: .integer(.max)], "values")
  }

  private func set(_ appValues: [String: DeviceValue?]) -> DeviceTransition {
    var transition = DeviceTransition()
    transition.appValues = appValues.keys.sorted().map { AppValueChange($0, appValues[$0] ?? nil) }
    return transition
  }

  private func checkAppValues() throws {
    var change = set(["session": .integer(.min), "account": nil])
    change.values = [ValueChange(.deviceID, .text("d"))]
    let store = try store(
      after: DeviceTransition(values: [ValueChange(.account, .text("nanny"))]),
      set([
        "session": .text("old"), "account": .text("é"), "photo/persons/1": .text(""), "": .integer(1),
        "app": .integer(2),
      ]),
      change)
    let expected: [String: DeviceValue] = [
      "session": .integer(.min), "photo/persons/1": .text(""), "": .integer(1), "app": .integer(2),
    ]
    try expect(try store.appValues(), is: expected, "the app's values")
    try expect(try store.values(), is: [.account: .text("nanny"), .deviceID: .text("d")], "values")
  }

  private func checkAppValueErasure() throws {
    for erasure in [.recordsAndZones, .allButJournal, .everything] as [DeviceTransition.Erasure] {
      var erasing = set(["new": .integer(3)])
      erasing.erasure = erasure
      var keeping = erasing
      keeping.keepsAppValues = true
      let first = set(["old": .text("1")])
      try expect(try store(after: first, erasing).appValues(), is: ["new": .integer(3)], "after \(erasure)")
      let kept: [String: DeviceValue] = ["old": .text("1"), "new": .integer(3)]
      try expect(try store(after: first, keeping).appValues(), is: kept, "kept over \(erasure)")
    }
    var unkept = set([:])
    unkept.keepsAppValues = false
    try expect(try store(after: set(["old": .text("1")]), unkept).appValues(), is: ["old": .text("1")], "no erasure")
  }

  private func seen(_ names: [String], at time: Int64, bounds: DeviceTransition.Bounds = .init()) -> DeviceTransition {
    var transition = DeviceTransition()
    transition.notifications = names.map {
      SeenNotification(notificationID: $0, receivedAt: WallTime(milliseconds: time))
    }
    transition.bounds = bounds
    return transition
  }

  private func known(_ names: [String], in store: Store) throws -> [String] {
    try names.filter { try store.isKnown(notificationID: $0) }
  }

  private func checkNotifications() throws {
    let store = try store(after: seen(["a", "\u{e9}"], at: 1))
    try expect(try known(["a", "b", "\u{e9}", "A"], in: store), is: ["a", "\u{e9}"], "known")
  }

  private func checkNotificationCount() throws {
    let bounds = DeviceTransition.Bounds(notifications: 3)
    let store = try store(
      after: seen(["a", "b", "c"], at: 5, bounds: bounds), seen(["a"], at: 6, bounds: bounds),
      seen(["d"], at: 1, bounds: bounds))
    try expect(try known(["a", "b", "c", "d"], in: store), is: ["b", "c", "d"], "the three inserted last")
  }

  private func checkNotificationAge() throws {
    let bounds = DeviceTransition.Bounds(notificationsSince: WallTime(milliseconds: 10))
    let store = try store(after: seen(["old"], at: 9), seen(["edge"], at: 10), seen(["new"], at: 11, bounds: bounds))
    try expect(try known(["old", "edge", "new"], in: store), is: ["edge", "new"], "the young")
  }

  private func journal(_ entries: ConflictEntry..., bound: Int = 10) -> DeviceTransition {
    var transition = DeviceTransition()
    transition.conflicts = entries
    transition.bounds.conflicts = bound
    return transition
  }

  private func checkConflicts() throws {
    var again = Sample.entry("a")
    again.rule = "other"
    let deleted = ConflictEntry(
      id: "c", recordID: Sample.id("R", in: Sample.otherZone), recordType: "Item", at: WallTime(milliseconds: 1),
      winner: .none, rule: "zoneDeleted", local: nil, server: Sample.content("s"), serverDeviceID: "d2", decidedBy: "d")
    let store = try store(after: journal(Sample.entry("a"), Sample.entry("b")), journal(again, deleted))
    try expect(
      try store.conflicts(limit: 9), is: [deleted, Sample.entry("b"), Sample.entry("a")], "journal")
    try expect(try store.conflicts(limit: 1), is: [deleted], "the newest entry")
  }

  private func checkConflictBound() throws {
    let store = try store(after: journal(Sample.entry("a"), Sample.entry("b")), journal(Sample.entry("c"), bound: 2))
    try expect(try store.conflicts(limit: 9).map(\.id), is: ["c", "b"], "journal")
  }

  private func checkTraces() throws {
    var transition = DeviceTransition()
    transition.traces = [Sample.trace("1"), Sample.trace("2"), Sample.trace("3")]
    transition.bounds.traces = 2
    let store = try store(after: transition)
    try expect(try store.traces(limit: 9), is: [Sample.trace("3"), Sample.trace("2")], "traces")
    try expect(try store.traces(limit: 1), is: [Sample.trace("3")], "the newest trace")
  }

  private var full: DeviceTransition {
    var transition = Sample.records(Sample.pending("A", revision: 1), Sample.clean("B"))
    transition.zones = [ZoneState(zoneID: Sample.zone)]
    transition.values = [ValueChange(.account, .text("nanny"))]
    transition.notifications = [SeenNotification(notificationID: "n", receivedAt: WallTime(milliseconds: 1))]
    transition.conflicts = [Sample.entry("a")]
    transition.traces = [Sample.trace("1")]
    return transition
  }

  private func checkErasure(_ erasure: DeviceTransition.Erasure, keeping kept: String) throws {
    let store = try store(after: full, DeviceTransition(erasure: erasure))
    try expect(try store.census(), is: DeviceCensus(), "census")
    try expect(try store.zones(), is: [], "zones")
    try expect(try store.pending(in: nil, after: 0, limit: 9), is: [], "pending")
    var left = try store.conflicts(limit: 9).isEmpty ? [] : ["journal"]
    left += try store.values().isEmpty ? [] : ["values"]
    let hasRing = try store.isKnown(notificationID: "n")
    let hasTraces = try !store.traces(limit: 1).isEmpty
    left += hasRing && hasTraces ? ["ring"] : hasRing || hasTraces ? ["half a ring"] : []
    try expect(left.joined(separator: ","), is: kept, "what is kept")
  }

  private func checkErasureAndFill() throws {
    var transition = Sample.records(Sample.clean("N"))
    transition.erasure = .everything
    transition.values = [ValueChange(.deviceID, .text("d"))]
    let store = try store(after: full, transition)
    try expect(try store.records(ofType: "Item").map(\.recordID.recordName), is: ["N"], "records")
    try expect(try store.values(), is: [.deviceID: .text("d")], "values")
  }
}
