import ZoneKitRecords
import ZoneKitTables

/// An operation of an administrator that delivers a payload by hand, as a body of a request to `/zonekit/administration`.
package struct PushDelivery: Equatable, Sendable {
  /// The device by its name or ID, or the push token.
  package var receiver: String
  /// The payload, as it is sent.
  package var payload: JSON

  private static let word = "push"

  /// A delivery of that payload.
  package init(_ payload: JSON, to receiver: String) {
    self.payload = payload
    self.receiver = receiver
  }

  /// Parses a body, as in `{"do":"push","to":"B","payload":{"aps":{"content-available":1}}}`. Nil if the operation is
  /// another one.
  package init?(parsing body: [UInt8]) throws(MemberError) {
    let json = try JSON(controlling: body)
    guard json["do"]?.string == Self.word else { return nil }
    let members = try JSONMembers(json, at: "administration", known: ["do", "to", "payload"])
    receiver = try members.required("to", "the name or ID of a device, or a push token")
    payload = json["payload"] ?? .null
    if let problem = Self.problem(with: payload) { throw members.wrong("payload", "is no push payload: \(problem)") }
    let bytes = payload.bytes().count
    guard bytes <= PushNotification.payloadLimit else {
      throw members.wrong("payload", "has \(bytes) bytes; a payload has at most \(PushNotification.payloadLimit)")
    }
  }

  /// Why a payload is one neither for the push service nor for a channel; nil if it is one.
  package static func problem(with payload: JSON) -> String? {
    guard payload["event"]?.string == nil else {
      return payload["payload"] == nil ? "a message of a channel needs `payload` beside `event`" : nil
    }
    do throws(PushLineError) {
      _ = try PushNotification(payload: payload)
      return nil
    } catch {
      return "\(error.message); a message of a channel has `event` and `payload`"
    }
  }

  /// Whether the payload is a message of a channel, which the push service cannot deliver.
  package var isOfChannels: Bool { payload["event"]?.string != nil }

  /// The message on a channel of that topic; nil if the payload names another topic. A payload that is no message of a
  /// channel is passed on as the broadcast `push`.
  package func frame(on topic: String) -> ChannelFrame? {
    guard let event = payload["event"]?.string else {
      return ChannelFrame(
        topic: topic, event: "broadcast", payload: ChannelBroadcast(event: Self.word, payload).payload)
    }
    guard payload["topic"]?.string.map({ $0 == topic }) ?? true else { return nil }
    return ChannelFrame(topic: topic, event: event, payload: payload["payload"] ?? .null)
  }

  /// The body from which `init(parsing:)` makes the same operation.
  package var json: JSON { ["do": .string(Self.word), "to": .string(receiver), "payload": payload] }

  /// The notification, whose payload is sent as it was given.
  package var notification: PushNotification {
    var notification = (try? PushNotification(payload: payload)) ?? PushNotification()
    notification.payload = payload.bytes()
    return notification
  }
}
