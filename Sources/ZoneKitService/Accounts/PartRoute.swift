import ZoneKitCloudProcess
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The route of a part of a Supabase-style service. It checks the key of each request and the signature of its token, and
/// has the rule of all parts for web pages.
struct PartRoute {
  /// Finds out who sends a request.
  let access: TableAccess
  /// Handles a request of a sender with one of the server's keys.
  let serve: (HTTPExchange, TableSender) -> Void

  /// The route.
  var route: HTTPRoute {
    var route = HTTPRoute(busy: { _ in Self.busy }) { exchange in
      do throws(AccessProblem) {
        serve(exchange, try access.sender(of: exchange.request))
      } catch {
        exchange.reply(error.reply)
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
