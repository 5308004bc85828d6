import ZoneKitRecords
import ZoneKitSync

/// An event in a device's output, as JSON or as a sentence.
struct DeviceEvent {
  /// The event's name.
  let name: String
  /// The details, as JSON members.
  let members: [JSON.Member]
  /// The sentence.
  let text: String

  init(_ name: String, _ members: [(String, JSON)] = [], _ text: String) {
    self.name = name
    self.members = members.map { JSON.Member($0.0, $0.1) }
    self.text = text
  }

  /// The event for a fact of the coordinator. The member `fact` is its kind.
  init(_ fact: DeviceFact) {
    let fact = Fact(fact)
    name = fact.kind.event
    members = [JSON.Member("fact", .string(fact.kind.rawValue))] + fact.members
    text = fact.text
  }

  /// The same for a device over the tables of a server, whose failed syncs it reports in the words of its app.
  init(overTables fact: DeviceFact) {
    guard case .syncFailed(_, let error, let wait) = fact else {
      self.init(fact)
      return
    }
    let plain = DeviceEvent(fact)
    let text = "Sync error: \(error.reason)" + (wait.map { "; next try in \($0) ms" } ?? "")
    self.init(plain.name, plain.members.map { ($0.key, $0.value) }, text)
  }

  /// The event for a failure of the store.
  init(storeFailed error: any Error) {
    self.init("storeFailed", [("error", .string("\(error)"))], "store failed: \(error)")
  }

  /// The event as one line of JSON.
  func json(at time: WallTime, device: String) -> String {
    JSON.object(
      [
        JSON.Member("event", .string(name)), JSON.Member("at", .string(time.iso8601)),
        JSON.Member("device", .string(device)),
      ] + members
    ).text()
  }

  /// The event as a line of text that begins with the time of day.
  func line(at time: WallTime) -> String {
    "\(time.timeOfDay) \(text)"
  }
}
