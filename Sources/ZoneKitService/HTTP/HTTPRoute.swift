import ZoneKitWire

/// What serves the requests below one first path segment.
package struct HTTPRoute {
  /// How a handler takes the body of a request.
  package enum Body: Hashable, Sendable {
    /// The handler gets the request when its body, of at most that many bytes, is whole.
    case whole(limit: Int)
    /// The handler gets the request with its head, and the body, of at most that many bytes, piece by piece.
    case pieces(limit: Int)
  }

  /// Decides, by the head of a request, how its body is taken.
  package var body: (HTTPRequest) -> Body
  /// Takes a request; answers it now or later, by the methods of the exchange.
  package var serve: (HTTPExchange) -> Void

  /// A route to that handler.
  package init(
    body: @escaping (HTTPRequest) -> Body = { _ in .whole(limit: HTTPLimits.body) },
    serve: @escaping (HTTPExchange) -> Void
  ) {
    self.body = body
    self.serve = serve
  }
}

/// The routes of a server by first path segment. What has no route gets a plain 404.
package struct HTTPRoutes {
  private var routes: [String: HTTPRoute]

  /// These routes.
  package init(_ routes: [String: HTTPRoute]) { self.routes = routes }

  /// The route of a request.
  func route(of request: HTTPRequest) -> HTTPRoute {
    // Any page may call (CloudKit Web Services, e.4); browsers ask first.
    if request.method == "OPTIONS" { return HTTPRoute { $0.reply(Self.preflight) } }
    let segment = request.path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
    return routes[String(Substring(segment))] ?? HTTPRoute { $0.reply(.notServed($0.request)) }
  }

  private static let preflight = HTTPReply(
    status: 204,
    fields: [
      HTTPField("Access-Control-Allow-Methods", "GET, POST, OPTIONS"),
      HTTPField("Access-Control-Allow-Headers", "Content-Type"), HTTPField("Access-Control-Max-Age", "86400"),
    ])
}
