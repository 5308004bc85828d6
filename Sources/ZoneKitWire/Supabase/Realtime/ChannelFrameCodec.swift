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
