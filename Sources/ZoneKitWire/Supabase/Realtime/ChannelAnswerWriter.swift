import ZoneKitRecords
import ZoneKitTables

extension ChannelAnswer {
  /// The message on a channel (Tables over the wire, 6.3 and 6.5).
  package func frame(topic: String, joinRef: String?, ref: String?) -> ChannelFrame {
    ChannelFrame(joinRef: joinRef, ref: ref, topic: topic, event: event, payload: payload(topic))
  }

  private var event: String {
    switch self {
    case .joined, .done, .refused: "phx_reply"
    case .subscription, .ended: "system"
    case .presence: "presence_state"
    case .closed: "phx_close"
    }
  }

  private func payload(_ topic: String) -> JSON {
    switch self {
    case .joined(let entries):
      let list = entries.map { JSON.object([JSON.Member("id", .integer($0.id))] + $0.entry.stated) }
      return ["status": "ok", "response": ["postgres_changes": .array(list)]]
    case .done: return ["status": "ok", "response": .object([])]
    case .refused(let reason): return ["status": "error", "response": ["reason": .string(reason)]]
    case .subscription(let isGood, let message):
      return Self.system(topic, "postgres_changes", isGood ? "ok" : "error", message)
    case .ended(let message): return Self.system(topic, "system", "error", message)
    case .presence, .closed: return .object([])
    }
  }

  private static func system(_ topic: String, _ part: String, _ status: String, _ message: String) -> JSON {
    let prefix = "realtime:"
    let channel = topic.hasPrefix(prefix) ? String(topic.dropFirst(prefix.count)) : topic
    return [
      "channel": .string(channel), "extension": .string(part), "message": .string(message), "status": .string(status),
    ]
  }
}
