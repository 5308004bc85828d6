import ZoneKitRecords
import ZoneKitTables

/// Reads the broadcasts of a request: `{"messages":[{"topic","event","payload"}]}`, or one whose topic and event are in the
/// path.
package enum BroadcastReader {
  /// The path of a request with several broadcasts. That of one with a single broadcast continues with
  /// `/<topic>/events/<event>`.
  package static let path = "/realtime/v1/api/broadcast"
  /// The most messages of a request.
  package static let messageLimit = 100

  /// A broadcast with the topic of its channels.
  package typealias Message = (topic: String, broadcast: ChannelBroadcast)

  /// Whether a request is one for broadcasts.
  package static func isMeant(by request: HTTPRequest) -> Bool {
    request.path == path || request.path.hasPrefix(path + "/")
  }

  /// The broadcasts of a request. Throws if one cannot be read or is for a private channel.
  package static func messages(of request: HTTPRequest) throws(BroadcastRefusal) -> [Message] {
    guard request.method == "POST" else { throw BroadcastRefusal(405, "broadcasts are sent with POST") }
    if request.path == path { return try messages(in: request.body) }
    let parts = (try? request.pathSegments())?.dropFirst(4).map(\.self) ?? []
    guard parts.count == 3, parts[1] == "events", !parts[0].isEmpty, !parts[2].isEmpty else {
      throw BroadcastRefusal(404, "expected \(path)/<topic>/events/<event>, not \(request.path)")
    }
    guard (try? request.queryItems()["private"]) != "true" else {
      throw BroadcastRefusal(403, "private channels are not served by this version")
    }
    if request.fields["Content-Type"]?.lowercased().hasPrefix("application/octet-stream") == true {
      let payload: JSON = ["type": "broadcast", "event": .string(parts[2])]
      return [("realtime:" + parts[0], ChannelBroadcast(payload, content: request.body))]
    }
    guard let said = try? JSON(parsing: request.body) else {
      throw BroadcastRefusal(422, "the body is neither JSON nor application/octet-stream")
    }
    return [("realtime:" + parts[0], ChannelBroadcast(event: parts[2], said))]
  }

  /// The broadcasts in a body.
  private static func messages(in body: [UInt8]) throws(BroadcastRefusal) -> [Message] {
    guard let list = (try? JSON(parsing: body))?["messages"]?.array else {
      throw BroadcastRefusal(422, "expected {\"messages\":[{\"topic\",\"event\",\"payload\"}]}")
    }
    guard list.count <= messageLimit else {
      throw BroadcastRefusal(422, "\(list.count) messages in one request, at most \(messageLimit) are possible")
    }
    var messages: [Message] = []
    for (index, message) in list.enumerated() {
      guard let topic = message["topic"]?.string, !topic.isEmpty, let event = message["event"]?.string else {
        throw BroadcastRefusal(422, "messages[\(index)] must have the texts topic and event")
      }
      guard message["private"]?.bool != true else {
        throw BroadcastRefusal(
          403, "messages[\(index)] is for a private channel; private channels are not served by this version")
      }
      let broadcast = ChannelBroadcast(event: event, message["payload"] ?? .object([]))
      messages.append(("realtime:" + topic, broadcast))
    }
    return messages
  }
}

/// Why broadcasts are refused.
package struct BroadcastRefusal: Error, Hashable, Sendable {
  /// The status of the answer.
  package let status: Int
  /// What is wrong.
  package let reason: String

  /// A refusal with that status.
  init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}
