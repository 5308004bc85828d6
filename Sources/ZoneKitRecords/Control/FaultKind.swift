/// The kind of a request that a fault can hit, of either protocol.
package enum FaultKind: Hashable, Sendable {
  /// A request of CloudKit's protocol, or a part of one.
  case cloud(RequestKind)
  /// A request, a message or an event of a service of tables.
  case table(TableRequestKind)

  /// All kinds.
  package static let all = RequestKind.allCases.map(FaultKind.cloud) + TableRequestKind.allCases.map(FaultKind.table)

  /// The kind of that name; nil if there is none.
  package init?(_ word: String) {
    if let kind = RequestKind(rawValue: word) {
      self = .cloud(kind)
    } else if let kind = TableRequestKind(rawValue: word) {
      self = .table(kind)
    } else {
      return nil
    }
  }

  /// The name of the kind.
  package var word: String {
    switch self {
    case .cloud(let kind): kind.rawValue
    case .table(let kind): kind.rawValue
    }
  }

  /// The kind of CloudKit's protocol; nil for one of tables.
  package var cloud: RequestKind? { if case .cloud(let kind) = self { kind } else { nil } }

  /// The kind of a service of tables; nil for one of CloudKit's protocol.
  package var table: TableRequestKind? { if case .table(let kind) = self { kind } else { nil } }

  /// Whether it is a message or an event on an open socket, and no request with an answer.
  package var isOfSocket: Bool { table?.isOfSocket ?? false }
}
