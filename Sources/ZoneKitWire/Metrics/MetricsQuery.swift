/// What a request for metrics asks for.
package struct MetricsQuery: Hashable, Sendable {
  /// Whether it asks for the figures of each zone: with `zones=1`.
  package let withZones: Bool

  /// Reads the query of a request. Throws 400 if it has anything else.
  package init(_ request: HTTPRequest) throws(HTTPError) {
    switch request.query {
    case nil, "": withZones = false
    case "zones=1"?: withZones = true
    case let query?: throw HTTPError(status: 400, reason: "/metrics takes no query but zones=1, not \(query).")
    }
  }
}
