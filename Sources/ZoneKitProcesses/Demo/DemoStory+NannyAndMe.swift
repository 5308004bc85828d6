import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// The story of NannyAndMe: two devices over CloudKit Web Services.
extension DemoStory {
  /// Plays all steps. Throws if one of them failed.
  func playNannyAndMe() throws(ProcessFailure) {
    var cast = try step("server and devices start, and the subscription is verified") { try self.start() }
    cast = try step("after a restart A finds the subscription again") { try self.restartA(cast) }
    try step("A renames the profile, and B shows it with no command given") { try self.rename(cast) }
    let action = try step("A logs a feeding, and B shows it; its push stamp advances") { try self.log(cast) }
    try step("both edit the same field offline and agree; A comes back first") {
      try self.conflict(cast, over: action, a: "bottleVolume 130", b: "bottleVolume 150", firstBack: cast.a)
    }
    try step("both edit different fields offline and lose neither; B comes back first") {
      try self.conflict(cast, over: action, a: "bottleVolume 140", b: "placename Park", firstBack: cast.b)
    }
    try step("both edit with equal stamps and agree; B comes back first") { try self.equalStamps(cast, over: action) }
    try step("the same notification twice costs one fetch") { try self.duplicate(cast) }
    try step("a change of nothing causes no traffic") { try self.noChange(cast, action) }
    try step("pushes to B are lost while A writes; B catches up on reconnect") { try self.lostPushes(cast) }
    cast = try step("B's local store is reset and refills; the cloud is untouched") { try self.reset(cast) }
    try step("both devices and the cloud hold the same records") { try self.compare() }
  }

  // MARK: Steps

  private func start() throws(ProcessFailure) -> (Cast, String) {
    let (server, address, push) = try startServer()
    let a = try device("A")
    let created = try subscription(of: a, since: 0)
    let b = try device("B")
    let found = try subscription(of: b, since: 0)
    try expect(created == "created", "A should create the subscription, but it was \(created)")
    try expect(found == "found", "B should find the subscription, but it was \(found)")
    let cast = Cast(server: server, a: a, b: b, http: address, push: push)
    return (cast, "A \(created) it, B \(found) it; server on \(address)")
  }

  private func restartA(_ cast: Cast) throws(ProcessFailure) -> (Cast, String) {
    processes.end(cast.a, with: SIGTERM)
    var cast = cast
    cast.a = try device("A")
    let origin = try subscription(of: cast.a, since: 0)
    try expect(origin == "found", "A should find the subscription, but it was \(origin)")
    return (cast, "A \(origin) it")
  }

  private func rename(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    let time = try shown("profile name \"Mia\"", by: cast.a, on: cast.b)
    return ((), "B showed it \(DemoStep.text(time)) after A saved it")
  }

  private func log(_ cast: Cast) throws(ProcessFailure) -> (String, String) {
    let before = try lastPush(of: cast.b)
    let time = try shown("log feeding bottle volume 120", by: cast.a, on: cast.b)
    guard let id = try actions(of: cast.b).first?["id"]?.string else { throw .broken("B shows no action") }
    let after = try lastPush(of: cast.b)
    try expect(after > before, "B's push stamp should advance from \(before), but is \(after)")
    return (id, "B showed it \(DemoStep.text(time)) after A saved it; push stamp \(after)")
  }

  private func conflict(
    _ cast: Cast, over action: String, a: String, b: String, firstBack: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    let before = [(cast.a, try conflicts(of: cast.a)), (cast.b, try conflicts(of: cast.b))]
    try playOffline(
      [(cast.a, "edit \(action) \(a)"), (cast.b, "edit \(action) \(b)")],
      back: [firstBack, firstBack === cast.a ? cast.b : cast.a])
    let agreed = try agree(cast)
    try journalled(before)
    let edited = agreed.first { $0["id"]?.string == action }
    let volume = edited?["bottleVolume"]?.integer.map { "\($0) ml" } ?? "no volume"
    let place = edited?["placename"]?.string.map { ", \($0)" } ?? ""
    try expect(
      !b.hasPrefix("placename") || (volume == "140 ml" && place == ", Park"), "a field was lost: \(volume)\(place)")
    return ((), "both show \(volume)\(place); the loser is in both journals")
  }

  private func equalStamps(_ cast: Cast, over action: String) throws(ProcessFailure) -> (Void, String) {
    let time = SystemClock.wall.advanced(byMilliseconds: 2_000).iso8601
    for actor in [cast.a, cast.b] { actor.tell("clock \(time)") }
    defer { for actor in [cast.a, cast.b] { actor.tell("clock real") } }
    return try conflict(cast, over: action, a: "bottleVolume 160", b: "bottleVolume 170", firstBack: cast.b)
  }

  private func duplicate(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    var generator = SystemGenerator()
    let id = RandomIdentifier.uuid(using: &generator)
    let payload = "{\"aps\":{\"content-available\":1},\"ck\":{\"ce\":2,\"nid\":\"\(id)\"}}"
    let mark = cast.b.mark
    for _ in 1...2 {
      let push = try processes.run("push", ["push", "B", "-", "--data", data, "--json"], input: payload)
      try expect(push.code == 0, "push ended with \(push.code)")
    }
    try processes.wait(for: "a duplicate push", from: cast.b, since: mark) { $0.json["duplicate"] == .bool(true) }
    try processes.wait(for: "a sync", from: cast.b, since: mark) { $0.event == "syncFinished" }
    _ = try ask(cast.b, "list 1")
    let syncs = cast.b.events("syncStarted", since: mark).count
    try expect(syncs == 1, "B should sync once, but synced \(syncs.counted("time"))")
    return ((), "1 fetch, 1 duplicate counted")
  }

  private func noChange(_ cast: Cast, _ action: String) throws(ProcessFailure) -> (Void, String) {
    let volume = try actions(of: cast.a).first { $0["id"]?.string == action }?["bottleVolume"]?.integer ?? 0
    let before = try requests(cast)
    let answer = try ask(cast.a, "edit \(action) bottleVolume \(volume)")
    try expect(answer["records"] == .array([]), "nothing should be saved, but \(answer.text()) was said")
    // Longer than the debounce of any sync that this change could have caused.
    try processes.pass(600)
    let after = try requests(cast)
    try expect(before == after, "the server got \(Int(after - before).counted("request"))")
    return ((), "0 requests")
  }

  private func lostPushes(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    cast.b.tell("offline")
    _ = try actions(of: cast.b)
    for command in ["log diaper pee", "log diaper poo", "log feeding leftBreast"] { _ = try ask(cast.a, command) }
    cast.a.tell("sync")
    let expected = try actions(of: cast.a).count
    let missing = expected - (try actions(of: cast.b).count)
    cast.b.tell("online")
    let agreed = try agree(cast)
    let reason = try status(of: cast.b)["fetch"]?["lastReason"]?.string ?? ""
    try expect(reason.contains("reconnect"), "the dump should name the reconnect, but says \(reason)")
    return (
      (), "B lacked \(missing.counted("action")), shows all \(agreed.count); the dump says: last fetch by \(reason)"
    )
  }

  private func reset(_ cast: Cast) throws(ProcessFailure) -> (Cast, String) {
    let before = try sequences(cast)
    processes.end(cast.b, with: SIGTERM)
    let reset = try processes.run("reset", ["reset", "local", "B", "--yes", "--data", data, "--json"])
    try expect(reset.code == 0, "reset ended with \(reset.code)")
    var cast = cast
    cast.b = try device("B")
    let agreed = try agree(cast)
    let after = try sequences(cast)
    try expect(before == after, "the cloud's sequences changed from \(before) to \(after)")
    return (cast, "\(agreed.count) actions are back; cloud sequences as before: \(after)")
  }

  /// Waits until both devices show the same actions, and returns them.
  private func agree(_ cast: Cast) throws(ProcessFailure) -> [JSON] {
    try agree("actions", cast.a, cast.b) { (actor) throws(ProcessFailure) in try self.actions(of: actor) }
  }
}
