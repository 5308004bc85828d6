import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService

/// The steps of Swiss Coin's story in which something fails: a lost answer, a refused row, a token that runs out, another
/// client, and a migration during which the server is killed.
extension DemoStory {
  /// The server answers an upload, and the answer is lost. The device sends the same rows again.
  func loseAnswer(
    _ server: Address, _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    let before = (try conflicts(of: a), try verdicts(server, "repeat"))
    try processes.plan([["do": "loseAnswer", "on": ["upsertRows"], "times": 1]], at: server)
    _ = try ask(a, "spend 9.00 \"Bread\" for all")
    let titles = try agreed(a, b, with: "Bread")
    let repeats = try verdicts(server, "repeat") - before.1
    try expect(repeats > 0, "the server should have recognised a repeated row")
    try expect(titles.count { $0 == "Bread" } == 1, "both should show one Bread")
    try expect(try conflicts(of: a) == before.0, "a repeated row is no conflict")
    return ((), "the server recognised \(repeats.counted("repeated row")); no conflict, no second row")
  }

  /// The server refuses one row for good. The others go on.
  func refuseRow(
    _ server: Address, _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    a.tell("offline")
    let refused = try saved("spend 1.00 \"Refused\" for me", by: a, in: "financial_transactions")
    _ = try ask(a, "spend 2.00 \"Accepted\" for me")
    try processes.plan(
      [
        ["do": "refuseItems", "on": ["upsertRows"], "records": [.string(refused)], "code": "23514", "times": 100]
      ], at: server)
    a.tell("online")
    _ = try agreedOn("Accepted", b)
    try processes.until("A sets the refused row aside") { () throws(ProcessFailure) in
      try self.status(of: a)["quarantined"]?.integer ?? 0 > 0
    }
    let reason = try status(of: a)["lastError"]?["text"]?.string ?? "no reason"
    try processes.plan([], at: server)
    _ = try ask(a, "retry")
    _ = try agreed(a, b, with: "Refused")
    return ((), "set aside: \(reason.prefix(70)); the others were sent, and `retry` sent it later")
  }

  /// An access token runs out while a device watches.
  func expireToken(
    _ server: Address, _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    let joins = try joins(of: b)
    try processes.plan([["do": "expireTokens", "on": ["readRows"], "times": 1]], at: server)
    b.tell("pull")
    _ = try status(of: b)
    let time = try shownRow("spend 3.00 \"Later\" for all", by: a, on: b)
    try expect(try status(of: b)["syncError"] == .null, "B should have no error")
    try expect(try self.joins(of: b) == joins, "B's channel should have stayed joined")
    return ((), "B replaced it and stayed joined; the next expense showed \(DemoStep.text(time)) after A saved it")
  }

  /// A plain HTTP client marks a row as deleted.
  func deleteByHand(
    _ server: Address, _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    let row = try rows("expenses", of: a).first { $0["title"]?.string == "Later" }?["id"]?.string ?? ""
    let session = try processes.send(
      "POST", "/auth/v1/token?grant_type=password", to: server,
      body: ["email": .string(Self.email), "password": .string(Self.password)])
    let token = session["access_token"]?.string ?? ""
    try processes.send(
      "PATCH", "/rest/v1/financial_transactions?id=eq.\(row)", to: server, bearer: token,
      body: ["deleted_at": "2026-05-04T07:08:09Z"])
    for actor in [a, b] {
      try processes.until("\(actor.name) hides the expense") { () throws(ProcessFailure) in
        try !self.rows("expenses", of: actor).contains { $0["id"]?.string == row }
      }
    }
    return ((), "PATCH /rest/v1/financial_transactions set deleted_at; both hide the expense")
  }

  /// Local rows move into the account, and the server is killed in the middle of it.
  func migrateThroughKill(_ server: Server, _ a: DemoProcesses.Actor) throws(ProcessFailure) -> (Void, String) {
    let c = try coin("C")
    // Each expense has a split. With the user's own person and another one these are 200 rows.
    let expenses = 99
    _ = try ask(c, "person add \"Zoe\"")
    for number in 1...expenses { _ = try ask(c, "spend \(number).00 \"Trip \(number)\" for me") }
    try expect(try status(of: c)["pending"] == 200, "C should hold 200 local rows")
    // The answer to the splits comes late, so that the server can be killed during their step.
    try processes.plan(
      [
        ["do": "delayAnswer", "milliseconds": 8_000, "on": ["upsertRows"], "table": "transaction_splits", "times": 1]
      ], at: server.http)
    let mark = c.mark
    _ = try ask(c, "signin \(Self.email) \(Self.password)")
    try migration(of: c, says: { $0.hasPrefix("[ 9/16]") }, "step 9 of the migration", since: mark)
    processes.end(server.server, with: SIGKILL)
    let failure = try migration(of: c, says: { $0.hasPrefix("Failed to upload") }, "the failure", since: mark)
    _ = try startServer(http: "\(server.http)", push: "\(server.push)")
    c.tell("retry")
    try migration(of: c, says: { $0 == "Migration complete!" }, "the end of the migration", since: mark)
    let verified = try ask(c, "migrate verify")
    try expect(verified["isClean"] == true, "C and the server should have the same rows and balances")
    c.tell("sync")
    _ = try status(of: c)
    let sent = c.mark
    c.tell("sync")
    _ = try status(of: c)
    let repeated = c.events("sent", since: sent).count
    try expect(repeated == 0, "a second sync should send nothing, but sent \(repeated.counted("row"))")
    try processes.until("A shows the rows of C") { () throws(ProcessFailure) in
      a.tell("pull")
      return try self.rows("expenses", of: a).count { $0["title"]?.string?.hasPrefix("Trip") ?? false } == expenses
    }
    processes.end(c, with: SIGTERM)
    return (
      (),
      "200 rows: \(failure.prefix(60))...; after `retry` counts and balances are the server's, and nothing is sent twice"
    )
  }

  // MARK: Questions

  /// Waits for a line of a device's migration, and returns it.
  @discardableResult
  private func migration(
    of actor: DemoProcesses.Actor, says fits: (String) -> Bool, _ what: String, since mark: Int
  ) throws(ProcessFailure) -> String {
    let line = try processes.wait(for: what, from: actor, since: mark) {
      $0.event == "migration" && fits($0.json["text"]?.string ?? "")
    }
    return line.json["text"]?.string ?? ""
  }

  /// How many rows got that verdict from the server so far.
  private func verdicts(_ server: Address, _ name: String) throws(ProcessFailure) -> Int {
    let status = try processes.send("GET", "/zonekit/status", to: server)
    return Int(status["cloud"]?["verdicts"]?[name]?.integer ?? 0)
  }

  private func joins(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> Int64 {
    try status(of: actor)["realtime"]?["joins"]?.integer ?? 0
  }

  /// The record of the row that a command saves in a table.
  private func saved(
    _ command: String, by actor: DemoProcesses.Actor, in table: String
  ) throws(ProcessFailure) -> String {
    let rows = try ask(actor, command)["tables"]?[table]?.array ?? []
    return "\(table)/\(rows.first?["id"]?.string ?? "")"
  }

  /// Waits until a device shows an expense of that title.
  private func agreedOn(_ title: String, _ actor: DemoProcesses.Actor) throws(ProcessFailure) {
    try processes.until("\(actor.name) shows \(title)") { () throws(ProcessFailure) in
      try self.rows("expenses", of: actor).contains { $0["title"]?.string == title }
    }
  }

  /// Waits until both devices show the same expenses, one of that title among them, and returns all titles.
  private func agreed(
    _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor, with title: String
  ) throws(ProcessFailure) -> [String] {
    try agreedOn(title, b)
    return try agreed(a, b).compactMap { $0["title"]?.string }
  }
}
