import Glibc
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService

/// The story of Swiss Coin: devices over tables, with a realtime channel.
extension DemoStory {
  /// Plays all steps. Throws if one of them failed.
  func playSwissCoin() throws(ProcessFailure) {
    let (a, account, server) = try step("the server starts, A signs up, and its channel is live") { try self.signUpA() }
    let b = try step("B signs in on an empty store and has the same rows") { try self.signInB(account) }
    try step("A splits a bill, and B shows it with the balance, with no command given") { try self.split(a, b) }
    try step("A sends a message, and B shows it at once") { try self.message(a, b) }
    try step("both edit the same expense offline and agree; A comes back first") {
      try self.conflict(a, b, first: a, note: ("from A", "from B"))
    }
    try step("both edit the same expense offline and agree; B comes back first") {
      try self.conflict(a, b, first: b, note: ("again A", "again B"))
    }
    try step("A deletes an expense that B edits later; it is restored") { try self.deleteAndEdit(a, b) }
    try step("B is offline while A writes three rows; it has them when it is back") { try self.catchUp(a, b) }
    let restarted = try step("the server is killed while A writes; the channel comes back, and nothing is lost") {
      try self.killServer(server, a, b)
    }
    let http = restarted.http
    try step("an answer is lost; A sends the same rows again") { try self.loseAnswer(http, a, b) }
    try step("the server refuses a row; it is set aside, and the others go on") { try self.refuseRow(http, a, b) }
    try step("B's access token runs out; it is replaced, and events go on") { try self.expireToken(http, a, b) }
    try step("a plain HTTP client deletes a row; both devices hide it") { try self.deleteByHand(http, a, b) }
    try step("a second account sees nothing of the first") { try self.otherAccount() }
    try step("local rows move into the account; the server is killed in between") {
      try self.migrateThroughKill(restarted, a)
    }
    try step("both devices and the cloud hold the same rows") {
      a.tell("pull")
      b.tell("pull")
      _ = try self.agreed(a, b)
      return try self.compare()
    }
  }

  // MARK: Steps

  static let email = "mara@example.test"
  static let password = "secret12"
  private static let credentials = "\(email) \(password)"

  /// Starts a device with the app.
  func coin(_ name: String) throws(ProcessFailure) -> DemoProcesses.Actor {
    try device(name, ["--app", "SwissCoin", "--tune", "localQuiet=100"])
  }

  /// The server's process and its addresses.
  typealias Server = (server: DemoProcesses.Actor, http: Address, push: Address)

  /// Starts the server and device A, and signs up. Returns A, its account and the server.
  private func signUpA() throws(ProcessFailure) -> ((DemoProcesses.Actor, String, Server), String) {
    let server = try startServer()
    let a = try coin("A")
    _ = try ask(a, "signup \(Self.credentials)")
    let account = try status(of: a)["user"]?.string ?? ""
    try live(a)
    try expect(!account.isEmpty, "A should be signed in")
    return ((a, account, server), "the account is \(account.prefix(8)); server on \(server.http)")
  }

  /// Waits until the channel of a device is joined.
  private func live(_ actor: DemoProcesses.Actor) throws(ProcessFailure) {
    try processes.until("the channel of \(actor.name) is live") { () throws(ProcessFailure) in
      try self.status(of: actor)["realtime"]?["state"]?.string == "live"
    }
  }

  private func signInB(_ account: String) throws(ProcessFailure) -> (DemoProcesses.Actor, String) {
    let b = try coin("B")
    _ = try ask(b, "signin \(Self.credentials)")
    try live(b)
    let seen = try status(of: b)["user"]?.string ?? ""
    try expect(seen == account, "B should have the account \(account), but has \(seen)")
    let persons = try rows("persons", of: b)
    try expect(persons.count == 1, "B should show one person, but shows \(persons.count)")
    return (b, "B shows the account's own person")
  }

  private func split(
    _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    _ = try ask(a, "person add \"Ben\"")
    _ = try ask(a, "group add \"Flat\" with \"Ben\"")
    let time = try shownRow("spend 84.50 \"Dinner\" for all in \"Flat\"", by: a, on: b)
    let balance = try ask(b, "balance \"Ben\"")["balances"]?.array?.first?["balances"]?["CHF"]
    try expect(balance?.text() == "42.25", "B should show a balance of 42.25, but shows \(balance?.text() ?? "none")")
    return ((), "B showed it \(DemoStep.text(time)) after A saved it; Ben owes 42.25 CHF")
  }

  private func message(
    _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    let time = try shownRow("say \"Ben\" \"who pays next?\"", by: a, on: b)
    return ((), "B showed it \(DemoStep.text(time)) after A saved it")
  }

  private func conflict(
    _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor, first: DemoProcesses.Actor, note: (String, String)
  ) throws(ProcessFailure) -> (Void, String) {
    let before = [(a, try conflicts(of: a)), (b, try conflicts(of: b))]
    try playOffline(
      [(a, "edit \"Dinner\" note \"\(note.0)\""), (b, "edit \"Dinner\" note \"\(note.1)\"")],
      back: [first, first === a ? b : a])
    first.tell("pull")
    let agreed = try agreed(a, b)
    try journalled(before, reread: "pull")
    let shown = agreed.first { $0["title"]?.string == "Dinner" }?["note"]?.string ?? "none"
    try expect(shown == note.1, "the later edit should be kept, but both show \(shown)")
    return ((), "both show the later edit, \"\(shown)\"; the other one is in both journals")
  }

  private func deleteAndEdit(
    _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    try playOffline([(a, "delete \"Dinner\""), (b, "edit \"Dinner\" note \"still here\"")], back: [a, b])
    a.tell("pull")
    let shown = try agreed(a, b).first { $0["title"]?.string == "Dinner" }?["note"]?.string
    try expect(shown == "still here", "the expense should be back with B's note, but shows \(shown ?? "none")")
    return ((), "both show the expense with B's note")
  }

  private func catchUp(
    _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Void, String) {
    b.tell("offline")
    _ = try status(of: b)
    for title in ["Coffee", "Tea", "Cake"] { _ = try ask(a, "spend 4.20 \"\(title)\" for all") }
    a.tell("sync")
    let missing = try rows("expenses", of: a).count - rows("expenses", of: b).count
    b.tell("online")
    let agreed = try agreed(a, b)
    return ((), "B lacked \(missing.counted("expense")), and shows all \(agreed.count)")
  }

  private func killServer(
    _ server: Server, _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor
  ) throws(ProcessFailure) -> (Server, String) {
    let before = try rows("expenses", of: b).count
    _ = try ask(a, "spend 30.00 \"Taxi\" for all")
    processes.end(server.server, with: SIGKILL)
    _ = try ask(a, "spend 40.00 \"Hotel\" for all")
    let restarted = try startServer(http: "\(server.http)", push: "\(server.push)")
    for actor in [a, b] { try live(actor) }
    let count = try agreed(a, b).count
    try expect(count == before + 2, "both should show \(before + 2) expenses, but show \(count)")
    return (restarted, "both show \(count) expenses")
  }

  private func otherAccount() throws(ProcessFailure) -> (Void, String) {
    let c = try coin("D")
    _ = try ask(c, "signup cleo@example.test secret34")
    try live(c)
    c.tell("pull")
    let seen = try rows("expenses", of: c).count
    try expect(seen == 0, "D should show no expense, but shows \(seen)")
    processes.end(c, with: SIGTERM)
    return ((), "0 expenses")
  }

  // MARK: Rows

  /// The rows of a table that a device shows.
  func rows(_ table: String, of actor: DemoProcesses.Actor) throws(ProcessFailure) -> [JSON] {
    try ask(actor, "list \(table) 1000")["tables"]?.object?.first?.value.array ?? []
  }

  /// Waits until both devices show the same expenses, and returns them.
  func agreed(_ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor) throws(ProcessFailure) -> [JSON] {
    try agree("expenses", a, b) { (actor) throws(ProcessFailure) in try self.rows("expenses", of: actor) }
  }

  /// The time from the device's answer to a command until the other device shows the rows that the command saved, in
  /// milliseconds.
  func shownRow(
    _ command: String, by author: DemoProcesses.Actor, on reader: DemoProcesses.Actor
  ) throws(ProcessFailure) -> Double {
    try shown(command, by: author, on: reader) { answer in
      (answer["tables"]?.object ?? []).flatMap { table in
        (table.value.array ?? []).compactMap { $0["id"]?.string.map { JSON.string("\(table.key)/\($0)") } }
      }
    }
  }
}
