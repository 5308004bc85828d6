import ZoneKitEventLoop

/// The links between one device and the server: one for requests and one for pushes.
package final class DeviceLink {
  /// A part of it.
  package enum Part: String, CaseIterable, Hashable, Sendable {
    /// Requests and their answers.
    case requests
    /// The push socket.
    case pushes
  }

  /// The link for requests.
  package let requests: LinkProxy
  /// The link for pushes.
  package let pushes: LinkProxy

  /// Links from two sockets `<path>.http` and `<path>.push` to the server's addresses. Throws where a socket cannot be
  /// listened on.
  package init(path: String, http: Address, push: Address, on loop: Loop) throws(LoopError) {
    requests = try LinkProxy(at: .unix(path: path + ".http"), to: http, framing: .bytes, on: loop)
    pushes = try LinkProxy(at: .unix(path: path + ".push"), to: push, framing: .lines, on: loop)
  }

  /// One of the two.
  package subscript(part: Part) -> LinkProxy {
    switch part {
    case .requests: requests
    case .pushes: pushes
    }
  }

  /// Changes what directions of parts do; all of them unless said otherwise.
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

  /// Adds a fault for so many of the next pushes; for all from now on where nil.
  package func addPushFault(_ fault: LineFault, count: Int? = 1) {
    pushes.change { $0.lineFaults.add(fault, lines: count) }
  }

  /// Forwards nothing in either direction until it is called with false.
  package func hold(_ isHeld: Bool) {
    for part in Part.allCases { self[part].isHeld = isHeld }
  }

  /// Loses so many of the next answers: the server carries the request out, and the connection ends without an answer.
  package func loseAnswers(_ count: Int) {
    requests.change { $0.answersToLose += count }
  }

  /// Closes all connections and refuses new ones.
  package func refuse() {
    for part in Part.allCases { self[part].refuse() }
  }

  /// Takes connections again. Throws where somebody else has taken an address meanwhile.
  package func accept() throws(LoopError) {
    for part in Part.allCases { try self[part].accept() }
  }

  /// Closes all connections now; new ones are taken unless they are refused.
  package func closeConnections() {
    for part in Part.allCases { self[part].closeConnections() }
  }

  /// Ends all that was done to the links but a refusal; what waits goes on its way.
  package func heal() {
    for part in Part.allCases {
      self[part].change { $0 = LinkState() }
      self[part].releaseSwapped()
    }
  }
}
