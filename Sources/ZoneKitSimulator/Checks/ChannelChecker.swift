import ZoneKitTables

/// A device has one realtime socket at a time, and shows its channel as live only after the service has joined it.
package struct ChannelChecker: Sendable {
  /// The devices whose present socket has a joined channel.
  private var joined: Set<Int> = []

  /// A checker at the start.
  package init() {}

  /// A device opens a socket. Returns the violation if its former one is still open; nil for none.
  package mutating func opened(by device: Int, besideAnother: Bool) -> Finding? {
    joined.remove(device)
    return besideAnother ? Finding(.subscription, "a second socket is opened, and the first one is not closed") : nil
  }

  /// A device received a message on its socket.
  package mutating func received(_ frame: ChannelFrame, on device: Int) {
    guard frame.event == "phx_reply", frame.topic != ChannelFrame.socketTopic, frame.payload["status"]?.string == "ok"
    else { return }
    joined.insert(device)
  }

  /// The violation in the state of its channel that a device shows; nil for none.
  package func finding(shown state: String, of device: Int) -> Finding? {
    guard state == "live", !joined.contains(device) else { return nil }
    return Finding(.diagnostics, "the channel is shown as live, and the service has not joined it")
  }
}
