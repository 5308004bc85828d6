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
  /// It judges the token of a request by a clock that is off by that time.
  case skewedToken(TimeSpan, isAhead: Bool)
  /// It ends the session instead of continuing it.
  case endedSession
  /// It refuses such a request now.
  case refused(Refusable)
  /// It refuses the rows or objects of a request with that code.
  case refusedWrite(code: String)
  /// It allows edit stamps to be ahead of its clock by that much less.
  case earlierStamps(TimeSpan)

  /// A request that the service refuses as a whole.
  package enum Refusable: String, CaseIterable, Hashable, Sendable {
    case signIn = "sign-in"
    case signUp = "sign-up"
    case refresh
    case signOut = "sign-out"
    case call

    /// The kind of the request.
    var kind: TableRequestKind {
      switch self {
      case .signIn: .signIn
      case .signUp: .signUp
      case .refresh: .refreshSession
      case .signOut: .signOut
      case .call: .callFunction
      }
    }

    /// The word for several of them.
    var plural: String { self == .refresh ? "refreshes" : rawValue + "s" }
  }

  /// The action of the fault and the kinds of requests and messages that it hits.
  package var fault: (action: TableFaultAction, kinds: [TableRequestKind]) {
    switch self {
    case .silentJoin: (.silentJoin, [.joinChannel])
    case .refusedJoin: (.refuseJoin(reason: "the service is busy"), [.joinChannel])
    case .deafJoin(let span): (.deafJoin(milliseconds: span.milliseconds), [.joinChannel])
    case .mutedHeartbeat: (.muteHeartbeat, [.heartbeat])
    case .refusedSocket: (.reject(Self.busy), [.openSocket])
    case .cutAtJoin: (.cutSocket(code: nil), [.joinChannel])
    case .cutAtHeartbeat: (.cutSocket(code: nil), [.heartbeat])
    case .cutAtEvent: (.cutSocket(code: nil), [.changeEvent])
    case .endedToken: (.expireTokens, TableRequestKind.ofRows + TableRequestKind.ofObjects)
    case .skewedToken(let span, let isAhead):
      Self.everywhere(.skewTokens(milliseconds: isAhead ? span.milliseconds : -span.milliseconds))
    case .endedSession: (.endSession, [.refreshSession])
    case .refused(let request): (.reject(Self.busy), [request.kind])
    case .refusedWrite(let code):
      (.rejectItems(code: code), [.insertRows, .upsertRows, .updateRows, .deleteRows, .putObject, .removeObjects])
    case .earlierStamps(let span): Self.everywhere(.restamp(milliseconds: span.milliseconds))
    }
  }

  /// An action on all kinds of requests that it can hit.
  private static func everywhere(_ action: TableFaultAction) -> (action: TableFaultAction, kinds: [TableRequestKind]) {
    (action, action.kinds)
  }

  private static var busy: ServiceRefusal { ServiceRefusal(503, code: "", "the service is busy") }

  /// The values of its sentence by the labels of the slots.
  var values: SlotValues {
    switch self {
    case .deafJoin(let span), .skewedToken(let span, _), .earlierStamps(let span): ["span": .span(span)]
    case .refusedWrite(let code): ["name": .name(code)]
    default: [:]
    }
  }
}
