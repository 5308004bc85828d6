import ZoneKitRecords
import ZoneKitWire
import ZoneKitCloud

/// One request of this turn and what its answer waits for; answers go out in the order of the requests.
struct Exchange {
  /// What the answer waits for.
  enum Reply {
    /// Nothing: it is known.
    case ready(HTTPReply)
    /// The zone server's answer under that ticket, to be written for that request and caller.
    case awaited(Ticket, CloudKitRequest, Caller)
    /// The zone server's answer to an administrator.
    case administered(Ticket)
    /// The same as `awaited`, as a fault leaves it; the ticket is nil where nothing reached the zone server.
    case faulty(FaultyExchange, Ticket?, CloudKitRequest, Caller)
  }

  /// Where the request came from.
  let connection: HTTPServerConnection
  /// The request; nil stands for bytes that were none.
  let request: HTTPRequest?
  /// What the answer waits for.
  let reply: Reply
}
