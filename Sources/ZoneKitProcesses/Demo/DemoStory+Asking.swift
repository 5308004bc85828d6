import ZoneKitRecords
import ZoneKitService

/// Commands to the demo's processes and queries about their state.
extension DemoStory {
  /// Starts a device with those options.
  func device(_ name: String, _ options: [String] = []) throws(ProcessFailure) -> DemoProcesses.Actor {
    try processes.start(name, ["device", name] + options + ["--data", data, "--json"])
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
  /// milliseconds. `saved` are the names of these records in the answer.
  func shown(
    _ command: String, by author: DemoProcesses.Actor, on reader: DemoProcesses.Actor,
    saved: (JSON) -> [JSON] = { $0["records"]?.array ?? [] }
  ) throws(ProcessFailure) -> Double {
    let mark = (author.mark, reader.mark)
    let answer = try ask(author, command)
    let records = saved(answer)
    let heard = author.lines[mark.0...].first { $0.json == answer }?.heardAt ?? 0
    let change = try processes.wait(for: "a remote change", from: reader, since: mark.1) { line in
      line.event == "remoteChange" && records.contains { line.json["records"]?.array?.contains($0) ?? false }
    }
    let time = Double(change.heardAt - heard) / 1000
    note(latency: time)
    return time
  }

  /// Waits until two devices show the same, and returns it. `read` asks a device for what it shows.
  func agree(
    _ what: String, _ a: DemoProcesses.Actor, _ b: DemoProcesses.Actor,
    _ read: (DemoProcesses.Actor) throws(ProcessFailure) -> [JSON]
  ) throws(ProcessFailure) -> [JSON] {
    var agreed: [JSON] = []
    try processes.until("\(a.name) and \(b.name) show the same \(what)") { () throws(ProcessFailure) in
      agreed = try read(a)
      return try agreed == read(b)
    }
    return agreed
  }

  // MARK: Offline edits

  /// Lets devices carry out commands while they have no link, in that order, and brings them back one after the other.
  func playOffline(
    _ commands: [(device: DemoProcesses.Actor, line: String)], back devices: [DemoProcesses.Actor]
  ) throws(ProcessFailure) {
    for device in devices { device.tell("offline") }
    for command in commands {
      _ = try ask(command.device, command.line)
      // Stamps count milliseconds: the next edit is to have a later one.
      try processes.pass(2)
    }
    for device in devices {
      device.tell("online")
      device.tell("sync")
      // A device carries out commands in order, so the answer comes after the sync.
      _ = try status(of: device)
    }
  }

  /// Waits until each device's journal has more conflicts than before. A device that has none yet gets the command
  /// `reread`.
  func journalled(
    _ before: [(device: DemoProcesses.Actor, conflicts: Int64)], reread: String? = nil
  ) throws(ProcessFailure) {
    for (device, old) in before {
      try processes.until("\(device.name)'s journal holds the conflict") { () throws(ProcessFailure) in
        if try self.conflicts(of: device) > old { return true }
        if let reread { device.tell(reread) }
        return false
      }
    }
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
