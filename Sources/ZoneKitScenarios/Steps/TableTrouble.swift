import ZoneKitRecords

/// What a service of tables does wrong with sockets, channels and sessions.
package enum TableTrouble: Hashable, Sendable {
  /// It does not answer a join. The channel is joined.
  case silentJoin
  /// It refuses a join.
  case refusedJoin
  /// It answers a join, and sends no events for that time.
  case deafJoin(TimeSpan)
  /// It does not answer a heartbeat.
  case mutedHeartbeat
  /// It refuses to open a socket.
  case refusedSocket
  /// It cuts the socket instead of answering a join.
  case cutAtJoin
  /// It cuts the socket instead of answering a heartbeat.
  case cutAtHeartbeat
  /// It cuts the socket instead of sending an event.
  case cutAtEvent
  /// It takes the token of a request for one that has ended.
  case endedToken
  /// It ends the session instead of continuing it.
  case endedSession

  /// The action of the fault and the kinds of requests and messages that it hits.
  package var fault: (action: TableFaultAction, kinds: [TableRequestKind]) {
    switch self {
    case .silentJoin: (.silentJoin, [.joinChannel])
    case .refusedJoin: (.refuseJoin(reason: "the service is busy"), [.joinChannel])
    case .deafJoin(let span): (.deafJoin(milliseconds: span.milliseconds), [.joinChannel])
    case .mutedHeartbeat: (.muteHeartbeat, [.heartbeat])
    case .refusedSocket: (.reject(ServiceRefusal(503, code: "", "the service is busy")), [.openSocket])
    case .cutAtJoin: (.cutSocket(code: nil), [.joinChannel])
    case .cutAtHeartbeat: (.cutSocket(code: nil), [.heartbeat])
    case .cutAtEvent: (.cutSocket(code: nil), [.changeEvent])
    case .endedToken: (.expireTokens, TableRequestKind.ofRows + TableRequestKind.ofObjects)
    case .endedSession: (.endSession, [.refreshSession])
    }
  }

  /// The line from which the parser makes the step.
  func text(_ count: FaultCount, of device: String?) -> String {
    let of = device.map { " of \($0)" } ?? ""
    switch self {
    case .silentJoin: return "the cloud leaves \(count.text("join", "joins"))\(of) unanswered"
    case .refusedJoin: return "the cloud refuses \(count.text("join", "joins"))\(of)"
    case .deafJoin(let span):
      return "the cloud sends no events for \(span.text) after \(count.text("join", "joins"))\(of)"
    case .mutedHeartbeat: return "the cloud leaves \(count.text("heartbeat", "heartbeats"))\(of) unanswered"
    case .refusedSocket: return "the cloud refuses \(count.text("socket", "sockets"))\(of)"
    case .cutAtJoin: return "the cloud cuts the socket at \(count.text("join", "joins"))\(of)"
    case .cutAtHeartbeat: return "the cloud cuts the socket at \(count.text("heartbeat", "heartbeats"))\(of)"
    case .cutAtEvent: return "the cloud cuts the socket at \(count.text("event", "events"))\(of)"
    case .endedToken: return "the cloud takes the token of \(count.text("request", "requests"))\(of) for ended"
    case .endedSession: return "the cloud ends the session at \(count.text("refresh", "refreshes"))\(of)"
    }
  }
}
