import ZoneKitRecords
import ZoneKitTables

/// Reads and writes the text form of messages on a realtime socket (Tables over the wire, 6.2).
package struct ChannelFrameCodec: Sendable {
  private let version: ChannelVersion

  /// The codec of a version.
  package init(_ version: ChannelVersion) { self.version = version }

  /// Reads a message of either side; nil if the text is none. A reference may be a text or a number.
  package func frame(of text: [UInt8]) -> ChannelFrame? {
    guard let json = try? JSON(parsing: text) else { return nil }
    switch version {
    case .first:
      guard let topic = json["topic"]?.string, let event = json["event"]?.string else { return nil }
      return ChannelFrame(
        joinRef: json["join_ref"]?.reference, ref: json["ref"]?.reference, topic: topic, event: event,
        payload: json["payload"] ?? .object([]))
    case .second:
      guard let parts = json.array, parts.count == 5, let topic = parts[2].string, let event = parts[3].string else {
        return nil
      }
      return ChannelFrame(
        joinRef: parts[0].reference, ref: parts[1].reference, topic: topic, event: event, payload: parts[4])
    }
  }

  /// Reads a binary message of a client, in which newer clients of the second version send their broadcasts; nil if the
  /// bytes are none. The content is a JSON document or bytes without a meaning for the server.
  package func frame(ofBinary bytes: [UInt8]) -> ChannelFrame? {
    guard version == .second, bytes.count >= 7, bytes[0] == Self.broadcastOfClient else { return nil }
    var position = 7
    var parts: [String] = []
    for length in bytes[1...5] {
      let end = position + Int(length)
      guard end <= bytes.count else { return nil }
      parts.append(Self.text(bytes[position..<end]))
      position = end
    }
    let content = Array(bytes[position...])
    var payload: [JSON.Member] = [JSON.Member("type", "broadcast"), JSON.Member("event", .string(parts[3]))]
    var frame = ChannelFrame(
      joinRef: parts[0].isEmpty ? nil : parts[0], ref: parts[1].isEmpty ? nil : parts[1], topic: parts[2],
      event: "broadcast", payload: .null)
    switch bytes[6] {
    case Self.binaryContent: frame.content = content
    case Self.textContent:
      guard let said = try? JSON(parsing: content) else { return nil }
      payload.append(JSON.Member("payload", said))
    default: return nil
    }
    frame.payload = .object(payload)
    return frame
  }

  /// A part of a binary message. The vendor's client writes the lower byte of each character, which is UTF-8 for ASCII only.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The first byte of a client's broadcast, and of a server's.
  private static let broadcastOfClient: UInt8 = 3
  private static let broadcastOfServer: UInt8 = 4
  /// What the content of a broadcast is.
  private static let binaryContent: UInt8 = 0
  private static let textContent: UInt8 = 1

  /// A server's message as its client reads it; nil if the client's version has no form for it, which is true of bytes in
  /// the first version.
  package func serverMessage(of frame: ChannelFrame) -> ChannelMessage? {
    guard let content = frame.content else { return ChannelMessage(serverText(of: frame)) }
    let (topic, event) = (Array(frame.topic.utf8), Array((frame.payload["event"]?.string ?? "").utf8))
    guard version == .second, topic.count <= 255, event.count <= 255 else { return nil }
    let head = [Self.broadcastOfServer, UInt8(topic.count), UInt8(event.count), 0, Self.binaryContent]
    return ChannelMessage(binary: head + topic + event + content)
  }

  /// The text of a server's message. In the first version it has exactly four members, because an old client fails at a
  /// fifth.
  package func serverText(of frame: ChannelFrame) -> [UInt8] { text(of: frame, statesJoin: false) }

  /// The text of a client's message.
  package func clientText(of frame: ChannelFrame) -> [UInt8] { text(of: frame, statesJoin: true) }

  private func text(of frame: ChannelFrame, statesJoin: Bool) -> [UInt8] {
    let (joinRef, ref) = (JSON(reference: frame.joinRef), JSON(reference: frame.ref))
    switch version {
    case .first:
      var members = [
        JSON.Member("topic", .string(frame.topic)), JSON.Member("event", .string(frame.event)),
        JSON.Member("payload", frame.payload), JSON.Member("ref", ref),
      ]
      if statesJoin { members.append(JSON.Member("join_ref", joinRef)) }
      return JSON.object(members).bytes()
    case .second:
      return JSON.array([joinRef, ref, .string(frame.topic), .string(frame.event), frame.payload]).bytes()
    }
  }
}

extension JSON {
  /// The reference that the value states; nil for none.
  fileprivate var reference: String? { string ?? integer.map { String($0) } }

  /// The value that states a reference.
  fileprivate init(reference: String?) { self = reference.map { .string($0) } ?? .null }
}
