import ZoneKitRecords
import ZoneKitService

/// Commands to the demo's processes and queries about their state.
extension DemoStory {
  func device(_ name: String) throws(ProcessFailure) -> DemoProcesses.Actor {
    try processes.start(name, ["device", name, "--data", data, "--json"])
  }

  /// The origin of the device's subscription, `found`, `created` or `replaced`, as the device reports it.
  func subscription(of actor: DemoProcesses.Actor, since mark: Int) throws(ProcessFailure) -> String {
    let line = try processes.wait(for: "its subscription", from: actor, since: mark) {
      $0.event == "subscription" && $0.json["state"]?.string == "active"
    }
    return line.json["origin"]?.string ?? ""
  }

  /// Sends a command to a device and returns its answer. Throws if the device answers with an error.
  func ask(_ actor: DemoProcesses.Actor, _ command: String) throws(ProcessFailure) -> JSON {
    let mark = actor.mark
    actor.tell(command)
    let line = try processes.wait(for: "the answer to \(command)", from: actor, since: mark) {
      ($0.event == "answer" || $0.event == "error") && $0.json["command"]?.string == command
    }
    if line.event == "error" { throw .broken(line.json["message"]?.string ?? "an error without a message") }
    return line.json
  }

  /// The actions that a device shows, newest first.
  func actions(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> [JSON] {
    try ask(actor, "list 1000")["actions"]?.array ?? []
  }

  /// The device's part of the diagnostics dump.
  func status(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> JSON {
    try ask(actor, "status")["status"] ?? .null
  }

  func lastPush(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> String {
    try status(of: actor)["push"]?["lastReceivedAt"]?.string ?? ""
  }

  func conflicts(of actor: DemoProcesses.Actor) throws(ProcessFailure) -> Int64 {
    try status(of: actor)["conflicts"]?["total"]?.integer ?? 0
  }

  /// The time from the device's answer to a command until the other device shows the records that the command saved, in
  /// milliseconds.
  func shown(
    _ command: String, by author: DemoProcesses.Actor, on reader: DemoProcesses.Actor
  ) throws(ProcessFailure) -> Double {
    let mark = (author.mark, reader.mark)
    let answer = try ask(author, command)
    let saved = answer["records"]?.array ?? []
    let heard = author.lines[mark.0...].first { $0.json == answer }?.heardAt ?? 0
    let change = try processes.wait(for: "a remote change", from: reader, since: mark.1) { line in
      line.event == "remoteChange" && saved.contains { line.json["records"]?.array?.contains($0) ?? false }
    }
    let time = Double(change.heardAt - heard) / 1000
    note(latency: time)
    return time
  }

  /// Waits until both devices show the same actions, and returns them.
  func agree(_ cast: Cast) throws(ProcessFailure) -> [JSON] {
    var agreed: [JSON] = []
    try processes.until("A and B show the same actions") { () throws(ProcessFailure) in
      agreed = try self.actions(of: cast.a)
      return try agreed == self.actions(of: cast.b)
    }
    return agreed
  }

  func expect(_ isSo: Bool, _ otherwise: String) throws(ProcessFailure) {
    guard isSo else { throw .broken(otherwise) }
  }

  /// The number of requests that the server has received.
  func requests(_ cast: Cast) throws(ProcessFailure) -> Int64 { try cloud(cast)["requests"]?.integer ?? -1 }

  /// The zones of the cloud with their sequence numbers.
  func sequences(_ cast: Cast) throws(ProcessFailure) -> String {
    let zones = try cloud(cast)["cloud"]?["zones"]?.array ?? []
    return zones.map { "\($0["name"]?.string ?? "") \($0["sequence"]?.integer ?? -1)" }.joined(separator: ", ")
  }

  private func cloud(_ cast: Cast) throws(ProcessFailure) -> JSON {
    do {
      return try CloudStatus.fetch(from: cast.http)
    } catch {
      throw .unavailable("\(error)")
    }
  }
}
