import ZoneKitRecords
import ZoneKitWire

/// The number of requests of each protocol that a server has received, and the faults that met the one that is served now.
final class RequestCounts {
  /// The parts of the server that are protocols; the control interface is none.
  private static let protocols: [AnsweredRequest.Part] = [.cloudKit, .tables, .documents]

  private var counts: [AnsweredRequest.Part: Int] = [:]
  private var served: HTTPExchange?

  /// Counts the requests of routes.
  func counting(_ routes: [String: HTTPRoute]) -> [String: HTTPRoute] {
    Dictionary(
      uniqueKeysWithValues: routes.map { root, route in
        let part = AnsweredRequest.Part(path: "/\(root)")
        guard Self.protocols.contains(part) else { return (root, route) }
        var counted = route
        counted.serve = { [self] exchange in
          counts[part, default: 0] += 1
          served = exchange
          route.serve(exchange)
          served = nil
        }
        return (root, counted)
      })
  }

  /// Faults met the message of the request that is served now.
  func met(by faults: [String]) { served?.fault = faults.joined(separator: ", ") }

  /// The counts as members of the status report.
  var members: [JSON.Member] {
    [
      JSON.Member("requests", .integer(Int64(counts.values.reduce(0, +)))),
      JSON.Member(
        "requestsByProtocol",
        .object(Self.protocols.map { JSON.Member($0.rawValue, .integer(Int64(counts[$0] ?? 0))) })),
    ]
  }
}
