import ZoneKitWire

/// The handler of all requests with the same first path segment.
package struct HTTPRoute {
  /// How a handler receives the body of a request.
  package enum Body: Hashable, Sendable {
    /// The handler gets the request when its body is complete. The limit is in bytes.
    case whole(limit: Int)
    /// The handler gets the request with its head, and then the body in chunks. The limit is in bytes.
    case pieces(limit: Int)
  }

  /// Determines from the head of a request how its body is received.
  package var body: (HTTPRequest) -> Body
  /// Whether web pages of other origins may read the answers (CloudKit Web Services, e.4).
  package var servesOtherOrigins = true
  /// Makes the reply to a request whose body the server has no memory for now.
  package var busy: (HTTPRequest) -> HTTPReply
  /// Handles a request. Answers it now or later, with the methods of the exchange.
  package var serve: (HTTPExchange) -> Void

  /// A route to that handler.
  package init(
    body: @escaping (HTTPRequest) -> Body = { _ in .whole(limit: HTTPLimits.body) },
    busy: @escaping (HTTPRequest) -> HTTPReply = { _ in .failure(503, "The server is busy; try again later.") },
    serve: @escaping (HTTPExchange) -> Void
  ) {
    self.body = body
    self.busy = busy
    self.serve = serve
  }
}

/// The routes of a server by first path segment. A request without a route is answered with a plain 404.
package struct HTTPRoutes {
  private var routes: [String: HTTPRoute]

  /// These routes.
  package init(_ routes: [String: HTTPRoute]) { self.routes = routes }

  /// The route of a request.
  func route(of request: HTTPRequest) -> HTTPRoute {
    let segment = request.path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
    let route = routes[String(Substring(segment))] ?? HTTPRoute { $0.reply(.notServed($0.request)) }
    // Any web page may send requests (CloudKit Web Services, e.4). Browsers send a preflight request first.
    guard request.method == "OPTIONS", route.servesOtherOrigins else { return route }
    return HTTPRoute { $0.reply(Self.preflight) }
  }

  private static let preflight = HTTPReply(
    status: 204,
    fields: [
      HTTPField("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
      HTTPField("Access-Control-Allow-Headers", "Content-Type"), HTTPField("Access-Control-Max-Age", "86400"),
    ])
}
