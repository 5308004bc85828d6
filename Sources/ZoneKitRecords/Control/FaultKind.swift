/// The kind of a request or a push that a fault can hit, of any protocol.
package enum FaultKind: Hashable, Sendable {
  /// A request of CloudKit's protocol, or a part of one.
  case cloud(RequestKind)
  /// A request, a message or an event of a service of tables.
  case table(TableRequestKind)
  /// A notification of the push service.
  case push

  /// All kinds.
  package static let all =
    RequestKind.allCases.map(FaultKind.cloud) + TableRequestKind.allCases.map(FaultKind.table) + [.push]
  private static let pushWord = "push"

  /// The kind of that name; nil if there is none.
  package init?(_ word: String) {
    if let kind = RequestKind(rawValue: word) {
      self = .cloud(kind)
    } else if let kind = TableRequestKind(rawValue: word) {
      self = .table(kind)
    } else if word == Self.pushWord {
      self = .push
    } else {
      return nil
    }
  }

  /// The name of the kind.
  package var word: String {
    switch self {
    case .cloud(let kind): kind.rawValue
    case .table(let kind): kind.rawValue
    case .push: Self.pushWord
    }
  }

  /// The kind of CloudKit's protocol; nil for any other.
  package var cloud: RequestKind? { if case .cloud(let kind) = self { kind } else { nil } }

  /// The kind of a service of tables; nil for any other.
  package var table: TableRequestKind? { if case .table(let kind) = self { kind } else { nil } }

  /// Whether it is a message or an event on an open socket, and no request with an answer.
  package var isOfSocket: Bool { self == .push || table?.isOfSocket ?? false }
}
