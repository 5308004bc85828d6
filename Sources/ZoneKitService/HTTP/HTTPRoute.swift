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
  /// What web pages of other origins may do; nil for nothing.
  package var crossOrigin: CrossOriginRule? = .cloudKit
  /// Makes the reply to a request whose body the server has no memory for now.
  package var busy: (HTTPRequest) -> HTTPReply
  /// Makes the reply to a request whose body is larger than its limit; nil for the form that belongs to no protocol.
  package var oversized: ((HTTPRequest, HTTPError) -> HTTPReply)?
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

extension HTTPRoute {
  /// A route to that handler with which web pages of other origins may do nothing.
  static func ofOwnOrigin(_ serve: @escaping (HTTPExchange) -> Void) -> HTTPRoute {
    var route = HTTPRoute(serve: serve)
    route.crossOrigin = nil
    return route
  }
}

/// The routes of a server by first path segment. A request without a route is answered with a plain 404.
package struct HTTPRoutes {
  private var routes: [String: HTTPRoute]

  /// These routes.
  package init(_ routes: [String: HTTPRoute]) { self.routes = routes }

  /// The route of a request.
  func route(of request: HTTPRequest) -> HTTPRoute {
    let route = servingRoute(of: request)
    guard let name = request.repeatedCredential else { return route }
    var refusing = HTTPRoute {
      $0.reply(.refusal(HTTPError(status: 400, reason: "The request has \(name) twice; send it once.")))
    }
    refusing.crossOrigin = route.crossOrigin
    return refusing
  }

  private func servingRoute(of request: HTTPRequest) -> HTTPRoute {
    let segment = request.path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
    let route = routes[String(Substring(segment))] ?? HTTPRoute { $0.reply(.notServed($0.request)) }
    guard request.method == "OPTIONS", let rule = route.crossOrigin else { return route }
    var preflight = HTTPRoute { $0.reply(rule.preflight($0.request)) }
    preflight.crossOrigin = rule
    return preflight
  }
}
