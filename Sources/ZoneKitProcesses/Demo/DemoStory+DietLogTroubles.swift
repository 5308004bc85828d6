import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage

/// The steps of the diet log's story in which something fails, and those with a client that is no device.
extension DemoStory {
  /// Plays the steps. Throws if one of them failed.
  func playDietTroubles(_ cast: inout Cast) throws(ProcessFailure) {
    var actors = cast
    defer { cast = actors }
    try step("the answer to a push is lost; it is applied once, without a conflict") { try self.losePushAnswer(actors) }
    actors = try step("A is killed between save and push; it sends after its restart") { try self.killA(actors) }
    actors = try step("B runs without pushes; it shows A's weight when it comes to the foreground") {
      try self.withoutPushes(actors)
    }
    actors = try step("what A deleted is purged while B is offline; B keeps its unsent edit") { try self.purge(actors) }
    actors = try step("the server's folder is removed; both devices offer their documents again") {
      try self.loseFolder(actors)
    }
    try step("a plain HTTP client adds a weight; A shows it, and a stale change of it is refused") {
      try self.plainClient(actors)
    }
    try step("a schema that the server does not have is refused; nothing is lost") { try self.newerSchema(actors) }
  }

  // MARK: Steps

  /// The server applies a push, and its answer is lost. The device sends the same changes again.
  private func losePushAnswer(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    let before = try conflicts(of: cast.a)
    try processes.plan([["do": "loseAnswer", "on": ["saveRecords"], "times": 1]], at: cast.http)
    let weight = try made("weigh 71 on \(Self.day)", by: cast.a)
    try shows(weight, cast.b)
    try reads(cast.a) { $0.hasPrefix("Synced") }
    let hits = try processes.send("GET", "/zonekit/faults", to: cast.http)["faults"]?.array?.first?["hits"]?.integer
    try processes.plan([], at: cast.http)
    try expect(hits == 1, "one answer should have been lost, but \(hits ?? 0) were")
    let version = try stored("weightLogs", id(of: weight), at: cast.http)["version"]?.integer ?? 0
    try expect(version == 1, "the weight should have version 1, but has \(version)")
    try expect(try conflicts(of: cast.a) == before, "a repeated change is no conflict")
    return ((), "the weight has version 1 on the server; no conflict")
  }

  private func killA(_ cast: Cast) throws(ProcessFailure) -> (Cast, String) {
    cast.a.tell("offline")
    let weight = try made("weigh 72 on \(Self.day)", by: cast.a)
    processes.end(cast.a, with: SIGKILL)
    var cast = cast
    cast.a = try diet("A")
    try shows(weight, cast.b)
    return (cast, "B shows the weight that A saved before it was killed")
  }

  private func withoutPushes(_ cast: Cast) throws(ProcessFailure) -> (Cast, String) {
    var cast = cast
    processes.end(cast.b, with: SIGTERM)
    cast.b = try diet("B", ["--no-push"])
    try reads(cast.b) { $0.hasPrefix("Synced") }
    let weight = try made("weigh 72.5 on \(Self.day)", by: cast.a)
    try reads(cast.a) { $0.hasPrefix("Synced") }
    // Longer than the debounce of a push.
    try processes.pass(600)
    try expect(try !weights(of: cast.b).contains(weight), "B should not show the weight before it asks")
    cast.b.tell("foreground")
    try shows(weight, cast.b)
    processes.end(cast.b, with: SIGTERM)
    cast.b = try diet("B")
    return (cast, "B lacked the weight for 600 ms, and showed it after `foreground`")
  }

  /// Deleted documents become tombstones, which are forgotten too. B does not know where they were in the feed.
  private func purge(_ cast: Cast) throws(ProcessFailure) -> (Cast, String) {
    let doomed = try made("weigh 77 on \(Self.day)", by: cast.a)
    try shows(doomed, cast.b)
    cast.b.tell("offline")
    let unsent = try made("weigh 78 on \(Self.day)", by: cast.b)
    _ = try ask(cast.a, "delete \(doomed)")
    try reads(cast.a) { $0.hasPrefix("Synced") }
    processes.end(cast.server, with: SIGTERM)
    // A tombstone that a purge makes is forgotten by a later one.
    for terms in [["--deleted", "0s"], ["--tombstones", "0s"]] {
      let purge = try processes.run(
        "purge", ["purge", "--app", "DietLog", "--yes", "--data", data, "--json"] + terms)
      try expect(purge.code == 0, "purge ended with \(purge.code)")
    }
    var cast = cast
    cast.server = try startServer(http: "\(cast.http)", push: "\(cast.push)").server
    let mark = cast.b.mark
    cast.b.tell("online")
    try processes.wait(for: "an expired cursor", from: cast.b, since: mark) { $0.json["fact"] == "tokenExpired" }
    cast.a.tell("sync")
    try shows(unsent, cast.a)
    try expect(try !weights(of: cast.b).contains(doomed), "B should not show the purged weight any more")
    return (cast, "B's cursor had expired; it read everything again, and sent its weight")
  }

  private func loseFolder(_ cast: Cast) throws(ProcessFailure) -> (Cast, String) {
    let before = try documents(at: cast.http)
    processes.end(cast.server, with: SIGTERM)
    do {
      try Folder.remove("\(data)/cloud")
    } catch {
      throw .unavailable("\(error)")
    }
    var cast = cast
    cast.server = try startServer(http: "\(cast.http)", push: "\(cast.push)").server
    for actor in [cast.a, cast.b] { actor.tell("sync") }
    try processes.until("the server has all documents again") { () throws(ProcessFailure) in
      try self.documents(at: cast.http) == before
    }
    for actor in [cast.a, cast.b] { try reads(actor) { $0.hasPrefix("Synced") } }
    return (cast, "the server has the same \(before.count.counted("document")) as before")
  }

  private func plainClient(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    let id = "plain-weight"
    let made = try push(id, 73_000, operation: "create", at: cast.http)["results"]?.array?.first
    try expect(made?["outcome"] == "applied", "the weight should be applied, but was answered with \(text(made))")
    try shows("weightLogs.\(id)", cast.a)
    let before = try conflicts(of: cast.a)
    _ = try ask(cast.a, "edit weightLogs.\(id) weight 73.5")
    try processes.until("the server has A's change") { () throws(ProcessFailure) in
      try self.stored("weightLogs", id, at: cast.http)["weightG"] == 73_500
    }
    // The client knows the first version only, and its change is an hour old.
    let answer = try push(id, 74_000, operation: "update", tag: made?["tag"], age: 3_600_000, at: cast.http)
    let resolution = answer["conflicts"]?.array?.first?["resolution"]?.string ?? "none"
    try expect(resolution == "server_wins", "the stale change should be server_wins, but is \(resolution)")
    try journalled([(cast.a, before)], reread: "sync")
    let entry = try ask(cast.a, "conflicts 1")["conflicts"]?.array?.first
    // The server kept A's version, so that is the local one in A's journal.
    try expect(
      entry?["record"]?.string == "weightLogs.\(id)" && entry?["decidedBy"] == "server" && entry?["winner"] == "local"
        && entry?["local"]?["weightG"] == 73_500 && entry?["server"]?["weightG"] == 74_000,
      "A's `conflicts` should show both versions, but shows \(text(entry))")
    return ((), "A showed 73 kg with no command given; the stale change is server_wins, and A's `conflicts` shows it")
  }

  private func newerSchema(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    let refusal = try processes.reply(
      to: "GET", "/sync/status?schema=2", at: cast.http, bearer: Self.bearer)
    try expect(
      refusal.status == 409 && refusal.body["error"] == "schema_mismatch",
      "schema 2 should be refused with 409, but was answered with \(refusal.status)")
    try processes.plan(
      [["do": "refuse", "on": ["fetchDatabaseChanges"], "error": "incompatibleVersion"]], at: cast.http)
    let weight = try made("weigh 75 on \(Self.day)", by: cast.a)
    try reads(cast.a) { $0 == "Update needed" }
    try processes.plan([], at: cast.http)
    // B may have asked in the meantime as well.
    for actor in [cast.a, cast.b] { actor.tell("sync") }
    try shows(weight, cast.b)
    return ((), "409 schema_mismatch; A said \"Update needed\", and sent its weight when the server took its schema")
  }

  // MARK: Documents

  /// Waits until a device has a document.
  private func shows(_ record: String, _ actor: DemoProcesses.Actor) throws(ProcessFailure) {
    try processes.until("\(actor.name) shows \(record)") { () throws(ProcessFailure) in
      try self.weights(of: actor).contains(record)
    }
  }

  /// The records of the weights that a device lists.
  private func weights(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> [String] {
    (try ask(actor, "list weights 1000")["weightLogs"]?.array ?? []).map { name(of: $0, in: "weightLogs") }
  }

  private func id(of record: String) -> String { String(record.drop { $0 != "." }.dropFirst()) }

  private func text(_ json: JSON?) -> String { json?.text() ?? "nothing" }

  /// The names and stamps of all documents that users write, as the server has them.
  private func documents(at server: Address) throws(ProcessFailure) -> [String] {
    let answer = try processes.send("POST", "/sync/full", to: server, bearer: Self.bearer, body: ["deleted": true])
    let collections = (answer["data"]?.object ?? []).filter { $0.key != "dailySummaries" }
    return collections.flatMap { collection in
      (collection.value.array ?? []).map { "\(name(of: $0, in: collection.key)) \($0["updatedAt"]?.string ?? "")" }
    }.sorted()
  }

  /// Pushes a change of a weight as a plain client. Its stamp is that many milliseconds ago.
  private func push(
    _ id: String, _ grams: Int64, operation: String, tag: JSON? = nil, age: Int64 = 0, at server: Address
  ) throws(ProcessFailure) -> JSON {
    let stamp = JSON.string(SystemClock.wall.advanced(byMilliseconds: -age).iso8601)
    let weight: JSON = ["loggedDate": .string(Self.day), "loggedAt": stamp, "weightG": .integer(grams)]
    let change = [
      JSON.Member("collection", "weightLogs"), JSON.Member("operation", .string(operation)),
      JSON.Member("documentId", .string(id)), JSON.Member("timestamp", stamp), JSON.Member("data", weight),
    ]
    let base = tag.map { [JSON.Member("tag", $0)] } ?? []
    return try processes.send(
      "POST", "/sync/push", to: server, bearer: Self.bearer,
      body: ["deviceId": "curl", "changes": [.object(change + base)]])
  }
}
