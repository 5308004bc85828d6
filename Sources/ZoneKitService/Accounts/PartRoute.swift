import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route of one part of a Supabase-style service. It checks key and token of each request, and has the rule of all
/// parts for web pages.
struct PartRoute {
  /// The part.
  let part: SupabasePart
  /// Finds out who sends a request.
  let access: TableAccess
  /// The faults of requests. If there are any, the end of a token is not judged here.
  let faults: TableFaults
  /// The time of the wall clock.
  let now: () -> WallTime
  /// Handles a request of a known sender.
  let serve: (HTTPExchange, RowCaller) -> Void

  /// The route.
  var route: HTTPRoute {
    var route = HTTPRoute(busy: { _ in Self.busy }) { exchange in
      do throws(AccessProblem) {
        serve(exchange, try access.caller(of: exchange.request, at: now(), ignoringEnd: faults.isActive))
      } catch {
        exchange.reply(error.reply(in: part))
      }
    }
    route.crossOrigin = .supabase
    return route
  }

  /// The reply to a request whose body the server has no memory for.
  private static var busy: HTTPReply {
    var reply = HTTPReply.refusal(HTTPError(status: 503, reason: "The server is busy; try again later."))
    reply.fields.append(HTTPField("Retry-After", "1"))
    return reply
  }
}
