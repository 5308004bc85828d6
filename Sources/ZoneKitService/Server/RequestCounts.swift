import ZoneKitRecords
import ZoneKitWire

/// The number of requests of each protocol that a server has received.
final class RequestCounts {
  /// The protocols, by the first path segment of their requests.
  private enum Kind: String, CaseIterable {
    case cloudKit, tables, documents

    init?(root: String) {
      if SupabasePart.allCases.contains(where: { $0.root == root }) {
        self = .tables
      } else if root == DocumentCall.root {
        self = .documents
      } else if root == ControlRoute.root {
        return nil
      } else {
        self = .cloudKit
      }
    }
  }

  private var counts: [Kind: Int] = [:]

  /// Counts the requests of routes; those of the control interface are not those of a protocol.
  func counting(_ routes: [String: HTTPRoute]) -> [String: HTTPRoute] {
    Dictionary(
      uniqueKeysWithValues: routes.map { root, route in
        guard let kind = Kind(root: root) else { return (root, route) }
        var counted = route
        counted.serve = { [self] exchange in
          counts[kind, default: 0] += 1
          route.serve(exchange)
        }
        return (root, counted)
      })
  }

  /// The counts as members of the status report.
  var members: [JSON.Member] {
    [
      JSON.Member("requests", .integer(Int64(counts.values.reduce(0, +)))),
      JSON.Member(
        "requestsByProtocol",
        .object(Kind.allCases.map { JSON.Member($0.rawValue, .integer(Int64(counts[$0] ?? 0))) })),
    ]
  }
}
