/// An event in a device, the cloud or the push service, in the form that journals, live events, the command line and
/// scenarios share. Each machine has its own typed facts and converts them to this form.
public struct Fact: Equatable, Sendable {
  /// The kind of the event.
  public let kind: Kind
  /// The details, as JSON members.
  public let members: [JSON.Member]
  /// The fact as a sentence.
  public let text: String

  /// A fact of that kind.
  public init(_ kind: Kind, _ members: [JSON.Member], _ text: String) {
    self.kind = kind
    self.members = members
    self.text = text
  }

  /// The fact as a JSON object: the event's name, the time, the place (such as the device's name), the kind and the
  /// details.
  public func json(at time: WallTime, place: [JSON.Member] = []) -> JSON {
    .object(
      [JSON.Member("event", .string(kind.event)), JSON.Member("at", .string(time.iso8601))] + place
        + [JSON.Member("fact", .string(kind.rawValue))] + members)
  }

  /// The fact as a line of text that begins with the time of day.
  public func line(at time: WallTime) -> String { "\(time.timeOfDay) \(text)" }
}

extension WallTime {
  /// The time of day in UTC with milliseconds, such as `09:41:00.123`.
  public var timeOfDay: Substring { iso8601.dropFirst(11).dropLast() }
}
