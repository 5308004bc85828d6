import ZoneKitRecords

/// What faults do to a request of a service of tables.
///
/// A driver carries the request out `applications` times, answers `refusal` if there is one, sends the answer
/// `delayMilliseconds` later, and none at all if `losesAnswer`. The further actions are those of single kinds of requests.
package struct RequestFaults: Hashable, Sendable {
  /// An action with the requests and items to which it applies.
  package struct Part: Hashable, Sendable {
    /// The action.
    package var action: TableFaultAction
    /// The requests and items.
    package var scope: FaultScope
  }

  /// The IDs of the faults that hit the request, in the plan's order.
  package private(set) var faults: [Int] = []
  /// How often the request is carried out: 0, 1 or 2.
  package private(set) var applications = 1
  /// The delay of the answer.
  package private(set) var delayMilliseconds: Int64 = 0
  /// Whether no answer ever arrives.
  package private(set) var losesAnswer = false
  /// The answer that is given instead of the real one.
  package private(set) var refusal: ServiceRefusal?
  /// The actions of single kinds of requests, in order.
  package private(set) var parts: [Part] = []

  /// The faults that hit a request.
  init(_ hits: [PlannedFault]) {
    for hit in hits {
      faults.append(hit.id)
      apply(hit.fault)
    }
  }

  private mutating func apply(_ fault: Fault) {
    switch fault.action {
    case .refuse(let error), .refuseItems(let error): refuse(ServiceRefusal(error))
    case .loseRequest:
      applications = 0
      losesAnswer = true
    case .loseAnswer: losesAnswer = true
    case .delayAnswer(let milliseconds): delayMilliseconds += milliseconds
    case .repeatRequest: applications = 2
    case .table(.reject(let refusal)): refuse(refusal)
    case .table(.rejectItems(let code)):
      refuse(ServiceRefusal(Self.status(of: code), code: code, "a fault that was asked for"))
    case .table(let action): parts.append(Part(action: action, scope: fault.scope))
    case .staleFeed, .stuckToken, .listZone, .omitRecords, .doubleRecords, .forgetSubscriptions, .muteSubscriptions,
      .push:
      break
    }
  }

  private mutating func refuse(_ refusal: ServiceRefusal) {
    applications = 0
    self.refusal = refusal
  }

  /// The status with which a service refuses an item with that code.
  private static func status(of code: String) -> Int {
    switch code {
    case "42501": 403
    case "23503", "23505": 409
    case "53100": 503
    default: 400
    }
  }

  // MARK: Actions of single kinds of requests

  /// The time by which the clock that judges access tokens is off, in milliseconds.
  package var tokenSkew: Int64 {
    parts.reduce(0) { sum, part in
      if case .skewTokens(let milliseconds) = part.action { sum + milliseconds } else { sum }
    }
  }

  /// How old rows have to be to be shown, in milliseconds; nil if all are shown.
  package var staleness: Int64? {
    parts.compactMap { part in if case .staleRows(let milliseconds) = part.action { milliseconds } else { nil } }.max()
  }

  /// By how much less than usual an edit stamp may be ahead of the server's clock, in milliseconds.
  package var stampCut: Int64 {
    parts.reduce(0) { sum, part in
      if case .restamp(let milliseconds) = part.action { sum + milliseconds } else { sum }
    }
  }

  /// Whether one of the actions is that one.
  package func contains(_ action: TableFaultAction) -> Bool { parts.contains { $0.action == action } }
}
