import ZoneKitRecords
import ZoneKitTables

extension ChannelAnswer {
  /// The message on a channel (Tables over the wire, 6.3 and 6.5).
  package func frame(topic: String, joinRef: String?, ref: String?) -> ChannelFrame {
    var frame = ChannelFrame(joinRef: joinRef, ref: ref, topic: topic, event: event, payload: payload(topic))
    if case .broadcast(let broadcast) = self { frame.content = broadcast.content }
    return frame
  }

  private var event: String {
    switch self {
    case .joined, .done, .refused: "phx_reply"
    case .subscription, .ended: "system"
    case .presenceState: "presence_state"
    case .presenceChange: "presence_diff"
    case .broadcast: "broadcast"
    case .closed: "phx_close"
    }
  }

  private func payload(_ topic: String) -> JSON {
    switch self {
    case .joined(let entries):
      let list = entries.map { JSON.object([JSON.Member("id", .integer($0.id))] + $0.entry.stated) }
      return ["status": "ok", "response": ["postgres_changes": .array(list)]]
    case .done: return ["status": "ok", "response": .object([])]
    case .refused(let reason): return ["status": "error", "response": ["reason": .string(reason.errorText)]]
    case .subscription(let isGood, let message):
      return Self.system(topic, "postgres_changes", isGood ? "ok" : "error", message.errorText)
    case .ended(let message): return Self.system(topic, "system", "error", message)
    case .presenceState(let state): return state
    case .presenceChange(let joins, let leaves): return ["joins": joins, "leaves": leaves]
    case .broadcast(let broadcast): return broadcast.payload
    case .closed: return .object([])
    }
  }

  private static func system(_ topic: String, _ part: String, _ status: String, _ message: String) -> JSON {
    let prefix = "realtime:"
    let channel = topic.after(prefix) ?? topic
    return [
      "channel": .string(channel), "extension": .string(part), "message": .string(message), "status": .string(status),
    ]
  }
}
