import ZoneKitEventLoop

/// The links between one device and the server: one for requests and one for pushes.
package final class DeviceLink {
  /// A part of the link between a device and the server.
  package enum Part: String, CaseIterable, Hashable, Sendable {
    /// Requests and their answers.
    case requests
    /// The push socket, or what the server sends over a channel.
    case pushes
  }

  /// The link for requests.
  package let requests: LinkProxy
  /// The link for pushes. Its state also applies to what the server sends over a channel.
  package let pushes: LinkProxy

  /// Links from the sockets `<path>.http` and `<path>.push` to the server's addresses. Throws if a socket cannot be
  /// opened for listening.
  package init(path: String, http: Address, push: Address, on loop: Loop) throws(LoopError) {
    requests = try LinkProxy(at: .unix(path: path + ".http"), to: http, framing: .bytes, on: loop)
    pushes = try LinkProxy(at: .unix(path: path + ".push"), to: push, framing: .lines, on: loop)
    requests.channels = pushes
  }

  /// The link for that part.
  package subscript(part: Part) -> LinkProxy {
    switch part {
    case .requests: requests
    case .pushes: pushes
    }
  }

  /// Changes the conditions of the given directions and parts; of all by default.
  package func change(
    _ parts: [Part] = Part.allCases, _ ways: [LinkDirection] = LinkDirection.allCases,
    _ body: (inout LaneConditions) -> Void
  ) {
    for part in parts {
      self[part].change { state in
        for way in ways { body(&state[way]) }
      }
    }
  }

  /// Stops all forwarding in both directions until it is called with false.
  package func hold(_ isHeld: Bool) {
    for part in Part.allCases { self[part].isHeld = isHeld }
  }

  /// Loses the next `count` answers: the server carries out the request, and the connection ends without an answer.
  package func loseAnswers(_ count: Int) {
    requests.change { $0.answersToLose += count }
  }

  /// Closes all connections and refuses new ones.
  package func refuse() {
    for part in Part.allCases { self[part].refuse() }
  }

  /// Accepts connections again. Throws if another process has taken an address in the meantime.
  package func accept() throws(LoopError) {
    for part in Part.allCases { try self[part].accept() }
  }

  /// Closes all connections. New ones are accepted unless the link refuses connections.
  package func closeConnections() {
    for part in Part.allCases { self[part].closeConnections() }
  }

  /// Ends all conditions and faults except refused connections. Data that waits is forwarded.
  package func heal() {
    for part in Part.allCases {
      self[part].change { $0 = LinkState() }
    }
  }
}
