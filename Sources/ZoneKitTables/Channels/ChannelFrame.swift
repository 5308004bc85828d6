import ZoneKitRecords

/// A message on the socket of a realtime service, in either direction (Phoenix channels).
package struct ChannelFrame: Equatable, Sendable {
  /// The reference of the join to which the message belongs; nil for none.
  package var joinRef: String?
  /// The reference of the message, which its reply repeats; nil for none.
  package var ref: String?
  /// The channel's topic, such as `realtime:user-sync-7C0A`. It is opaque and repeated byte for byte.
  package var topic: String
  /// The event, such as `phx_join`.
  package var event: String
  /// What the event says.
  package var payload: JSON
  /// The content of a broadcast as bytes that are not JSON; nil for all other messages.
  package var content: [UInt8]?

  /// A message.
  package init(joinRef: String? = nil, ref: String? = nil, topic: String, event: String, payload: JSON) {
    self.joinRef = joinRef
    self.ref = ref
    self.topic = topic
    self.event = event
    self.payload = payload
  }

  /// The topic of messages that belong to the socket and not to a channel.
  package static let socketTopic = "phoenix"
}

/// The versions of the text form of a message.
package enum ChannelVersion: String, Hashable, Sendable, CaseIterable {
  /// An object.
  case first = "1.0.0"
  /// An array.
  case second = "2.0.0"
}
