import ZoneKitTables

/// A device has one realtime socket at a time, and shows its channel as live only after the service has joined it.
package struct ChannelChecker: DeviceChecker {
  /// See `DeviceChecker`.
  package static let reads = LogEventKinds(events: [.socketOpened, .frame, .channelShown])

  /// Whether the service has joined the channel of the present socket.
  private var isJoined = false

  /// A checker at the start of a log.
  package init() {}

  /// See `DeviceChecker`.
  package mutating func take(_ entry: LogEntry, _ history: DeviceHistory) -> Finding? {
    switch entry.event {
    case .socketOpened(let isSecond):
      isJoined = false
      return isSecond ? Finding(.subscription, "a second socket is opened, and the first one is not closed") : nil
    case .frame(let frame):
      isJoined = isJoined || Self.isJoin(frame)
    case .channelShown("live") where !isJoined:
      return Finding(.diagnostics, "the channel is shown as live, and the service has not joined it")
    default: break
    }
    return nil
  }

  private static func isJoin(_ frame: ChannelFrame) -> Bool {
    frame.event == "phx_reply" && frame.topic != ChannelFrame.socketTopic && frame.payload["status"]?.string == "ok"
  }
}
