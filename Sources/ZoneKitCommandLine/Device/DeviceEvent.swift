import ZoneKitRecords
import ZoneKitSync

/// An event of a device: a name and members for scripts, a sentence for people.
struct DeviceEvent {
  /// The event's name.
  let name: String
  /// What belongs to it.
  let members: [JSON.Member]
  /// The sentence.
  let text: String

  init(_ name: String, _ members: [(String, JSON)] = [], _ text: String) {
    self.name = name
    self.members = members.map { JSON.Member($0.0, $0.1) }
    self.text = text
  }

  /// A coordinator's fact; the member `fact` says of which kind.
  init(_ fact: DeviceFact) {
    let fact = Fact(fact)
    name = fact.kind.event
    members = [JSON.Member("fact", .string(fact.kind.rawValue))] + fact.members
    text = fact.text
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

  /// The event as a line of text, with the time of day in front.
  func line(at time: WallTime) -> String {
    "\(time.timeOfDay) \(text)"
  }
}
