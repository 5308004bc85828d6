public import ZoneKitRecords

/// What a client passes to all clients of a topic.
public struct ChannelBroadcast: Equatable, Sendable {
  /// The payload of the message: its `type`, the `event` and what it says, unless `content` is set.
  public var payload: JSON
  /// What it says as bytes that are not JSON. Only clients of the second version can get it.
  public var content: [UInt8]?

  /// A broadcast with that payload.
  public init(_ payload: JSON, content: [UInt8]? = nil) {
    self.payload = payload
    self.content = content
  }

  /// A broadcast of an event.
  public init(event: String, _ said: JSON) {
    self.init(["type": "broadcast", "event": .string(event), "payload": said])
  }
}
