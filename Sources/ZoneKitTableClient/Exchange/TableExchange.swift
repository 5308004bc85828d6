import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// One request of a device's coordinator to a table server.
enum TableExchange: Sendable {
  /// To tables of this product's form.
  case rows(RowExchange)
  /// To tables of a user's own schema.
  case relations(RelationExchange)

  /// A request for rows.
  enum Question: Sendable {
    case rows(RowRequest)
    case relations(RelationRequest)
  }

  /// What an exchange needs next.
  enum Step: Sendable {
    /// Send that request.
    case ask(Question)
    /// The exchange is over, with that answer.
    case answer(CloudResponse)
  }

  /// What to do next.
  var step: Step {
    switch self {
    case .rows(let exchange):
      switch exchange.step {
      case .ask(let request): .ask(.rows(request))
      case .answer(let response): .answer(response)
      }
    case .relations(let exchange):
      switch exchange.step {
      case .ask(let request): .ask(.relations(request))
      case .answer(let response): .answer(response)
      }
    }
  }
}
