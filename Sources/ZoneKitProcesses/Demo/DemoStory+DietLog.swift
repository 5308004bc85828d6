import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService

/// The story of the diet log: devices over a server of documents.
extension DemoStory {
  /// Plays all steps. Throws if one of them failed.
  func playDietLog() throws(ProcessFailure) {
    var cast = try step("server and devices start, and both devices are synced") { try self.startDiet() }
    let lunch = try step("A logs lunch with two items offline and comes back; B shows it with no command given") {
      try self.logLunch(cast)
    }
    try step("both add an item to it offline and lose none; A comes back first") {
      try self.addBoth(cast, lunch, foods: ("Apple", "Bread"), firstBack: cast.a, count: 4)
    }
    try step("both add an item to it offline and lose none; B comes back first") {
      try self.addBoth(cast, lunch, foods: ("Cheese", "Dates"), firstBack: cast.b, count: 6)
    }
    try step("A removes an item that B changes later; the item stays") { try self.removeThenChange(cast, lunch) }
    try step("A removes an item that B changed earlier; the item goes") { try self.changeThenRemove(cast, lunch) }
    try step("both change an item with equal stamps and agree") { try self.equalItems(cast, lunch) }
    try step("A deletes a log that B edits later; the log is back") { try self.deleteThenEdit(cast) }
    try step("A deletes a log that B edited earlier; the log stays deleted") { try self.editThenDelete(cast) }
    try playDietTroubles(&cast)
    try step("both devices and the cloud hold the same records") { try self.compare() }
  }

  // MARK: Steps

  /// The day of all logs.
  static let day = "2026-11-21"

  /// Starts a device with the diet log.
  func diet(_ name: String, _ options: [String] = []) throws(ProcessFailure) -> DemoProcesses.Actor {
    try device(name, ["--app", "DietLog", "--tune", "localQuiet=100"] + options)
  }

  private func startDiet() throws(ProcessFailure) -> (Cast, String) {
    let (server, http, push) = try startServer()
    let cast = Cast(server: server, a: try diet("A"), b: try diet("B"), http: http, push: push)
    for actor in [cast.a, cast.b] { try reads(actor) { $0.hasPrefix("Synced") } }
    return (cast, "A and B: \(try line(of: cast.a)); server on \(http)")
  }

  private func logLunch(_ cast: Cast) throws(ProcessFailure) -> (String, String) {
    let mark = cast.b.mark
    cast.a.tell("offline")
    let lunch = try made("log lunch on \(Self.day)", by: cast.a)
    _ = try ask(cast.a, "add last \"Oats\" 60 g kcal 220")
    _ = try ask(cast.a, "add last \"Milk\" 200 ml kcal 130")
    let offline = try line(of: cast.a)
    // The log, and the foods among the recent ones.
    try expect(offline == "3 pending, offline", "A should say \"3 pending, offline\", but says \"\(offline)\"")
    cast.a.tell("online")
    try processes.wait(for: "a remote change", from: cast.b, since: mark) {
      $0.event == "remoteChange" && $0.json["records"]?.array?.contains(.string(lunch)) ?? false
    }
    let shown = try names(in: document(lunch, of: cast.b))
    try expect(shown == ["Milk", "Oats"], "B should show Milk and Oats, but shows \(shown.joined(separator: ", "))")
    let time = try self.shown("weigh 70 on \(Self.day)", by: cast.a, on: cast.b)
    return (lunch, "A said \"\(offline)\"; B showed a weight \(DemoStep.text(time)) after A saved it")
  }

  private func addBoth(
    _ cast: Cast, _ lunch: String, foods: (String, String), firstBack: DemoProcesses.Actor, count: Int
  ) throws(ProcessFailure) -> (Void, String) {
    try playOffline(
      [
        (cast.a, "add \(lunch) \"\(foods.0)\" 1 piece kcal 90"),
        (cast.b, "add \(lunch) \"\(foods.1)\" 1 slice kcal 70"),
      ],
      back: [firstBack, firstBack === cast.a ? cast.b : cast.a])
    let log = try agreed(on: lunch, cast) { self.names(in: $0).count == count }
    let kcal = items(of: log).reduce(0) { $0 + ($1["energyKcal"]?.integer ?? 0) }
    let sums = try stored("dailySummaries", Self.day, at: cast.http)["totals"]?["energyKcal"]?.integer
    try expect(sums == kcal, "the server's sum of the day should be \(kcal) kcal, but is \(sums ?? -1)")
    return ((), "both show \(count.counted("item")), together \(kcal) kcal; so does the server's sum of the day")
  }

  private func removeThenChange(_ cast: Cast, _ lunch: String) throws(ProcessFailure) -> (Void, String) {
    try playOffline(
      [(cast.a, "drop \(lunch) \"Oats\""), (cast.b, "change \(lunch) \"Oats\" kcal 250")], back: [cast.a, cast.b])
    try agreed(on: lunch, cast) { self.item("Oats", of: $0)?["energyKcal"] == 250 }
    return ((), "both show Oats with the 250 kcal of B's change")
  }

  private func changeThenRemove(_ cast: Cast, _ lunch: String) throws(ProcessFailure) -> (Void, String) {
    try playOffline(
      [(cast.b, "change \(lunch) \"Milk\" kcal 140"), (cast.a, "drop \(lunch) \"Milk\"")], back: [cast.a, cast.b])
    try agreed(on: lunch, cast) { self.item("Milk", of: $0) == nil }
    return ((), "neither shows Milk")
  }

  private func equalItems(_ cast: Cast, _ lunch: String) throws(ProcessFailure) -> (Void, String) {
    let ahead: Int64 = 500
    let time = SystemClock.wall.advanced(byMilliseconds: ahead).iso8601
    for actor in [cast.a, cast.b] { actor.tell("clock \(time)") }
    let before = [(cast.a, try conflicts(of: cast.a)), (cast.b, try conflicts(of: cast.b))]
    try playOffline(
      [(cast.a, "change \(lunch) \"Bread\" kcal 80"), (cast.b, "change \(lunch) \"Bread\" kcal 75")],
      back: [cast.a, cast.b])
    for actor in [cast.a, cast.b] { actor.tell("clock real") }
    // Until that time is over, stamps say nothing about which edit of two devices was later.
    try processes.pass(ahead)
    // Of two equal stamps the greater text counts.
    try agreed(on: lunch, cast) { self.item("Bread", of: $0)?["energyKcal"] == 80 }
    try journalled(before, reread: "sync")
    return ((), "both show Bread with 80 kcal; the other version is in both journals")
  }

  private func deleteThenEdit(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    let dinner = try dinner(cast)
    try playOffline(
      [(cast.a, "delete \(dinner)"), (cast.b, "edit \(dinner) notes \"still here\"")], back: [cast.a, cast.b])
    try agreed(on: dinner, cast) { self.isAlive($0) && $0["notes"] == "still here" }
    return ((), "both show the log with B's notes")
  }

  private func editThenDelete(_ cast: Cast) throws(ProcessFailure) -> (Void, String) {
    let dinner = try dinner(cast)
    try playOffline(
      [(cast.b, "edit \(dinner) notes \"gone\""), (cast.a, "delete \(dinner)")], back: [cast.b, cast.a])
    try agreed(on: dinner, cast) { !self.isAlive($0) }
    return ((), "neither lists the log")
  }

  /// Lets A log a dinner, and waits until B has it.
  private func dinner(_ cast: Cast) throws(ProcessFailure) -> String {
    let dinner = try made("log dinner on \(Self.day)", by: cast.a)
    try processes.until("B shows the dinner") { () throws(ProcessFailure) in
      try self.ask(cast.b, "list 1000")["foodLogs"]?.array?.contains { self.name(of: $0, in: "foodLogs") == dinner }
        ?? false
    }
    return dinner
  }

  // MARK: Documents

  /// The first line of a device's status.
  func line(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> String {
    try status(of: actor)["sync"]?["text"]?.string ?? ""
  }

  /// Waits until the first line of a device's status fits, and returns it.
  @discardableResult
  func reads(_ actor: DemoProcesses.Actor, _ fits: (String) -> Bool) throws(ProcessFailure) -> String {
    var line = ""
    try processes.until("the status of \(actor.name) is as expected") { () throws(ProcessFailure) in
      line = try self.line(of: actor)
      return fits(line)
    }
    return line
  }

  /// The record of the document that a command makes.
  func made(_ command: String, by actor: DemoProcesses.Actor) throws(ProcessFailure) -> String {
    try ask(actor, command)["records"]?.array?.first?.string ?? ""
  }

  /// The record of a document that a device lists.
  func name(of document: JSON, in collection: String) -> String {
    "\(collection).\(document["_id"]?.string ?? "")"
  }

  /// A document as a device has it, also a deleted one.
  func document(_ record: String, of actor: DemoProcesses.Actor) throws(ProcessFailure) -> JSON {
    try ask(actor, "show \(record)")["document"] ?? .null
  }

  /// Waits until both devices have the same document and it fits. Returns the document.
  @discardableResult
  func agreed(
    on record: String, _ cast: Cast, _ fits: (JSON) -> Bool
  ) throws(ProcessFailure) -> JSON {
    var found = JSON.null
    try processes.until("A and B show the same \(record), as expected") { () throws(ProcessFailure) in
      found = try self.document(record, of: cast.a)
      guard try found == self.document(record, of: cast.b) else { return false }
      return fits(found)
    }
    return found
  }

  /// Whether a document is not deleted.
  func isAlive(_ document: JSON) -> Bool { document["deletedAt"].map { $0 == .null } ?? true }

  /// The items of a log that were not removed.
  private func items(of log: JSON) -> [JSON] { (log["items"]?.array ?? []).filter(isAlive) }

  /// The item of a log with that name; nil if there is none or it was removed.
  private func item(_ name: String, of log: JSON) -> JSON? { items(of: log).first { $0["name"]?.string == name } }

  /// The names of a log's items, in ascending order.
  private func names(in log: JSON) -> [String] {
    items(of: log).compactMap { $0["name"]?.string }.sorted()
  }

  /// A document as the server has it, for a plain client; null if it has none.
  func stored(_ collection: String, _ id: String, at server: Address) throws(ProcessFailure) -> JSON {
    let names: JSON = ["documents": [["collection": .string(collection), "documentId": .string(id)]]]
    let answer = try processes.send("POST", "/sync/full", to: server, bearer: Self.bearer, body: names)
    return answer["data"]?[collection]?.array?.first ?? .null
  }

  /// The account of the devices, for plain clients.
  static let bearer = "user:\(DeviceOptions.defaultUser)"
}
