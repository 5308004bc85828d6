import ZoneKitRecords

/// What a client passes to all clients of a topic.
package struct ChannelBroadcast: Equatable, Sendable {
  /// The payload of the message: its `type`, the `event` and what it says, unless `content` is set.
  package var payload: JSON
  /// What it says as bytes that are not JSON. Only clients of the second version can get it.
  package var content: [UInt8]?

  /// A broadcast with that payload.
  package init(_ payload: JSON, content: [UInt8]? = nil) {
    self.payload = payload
    self.content = content
  }

  /// A broadcast of an event.
  package init(event: String, _ said: JSON) {
    self.init(["type": "broadcast", "event": .string(event), "payload": said])
  }
}
