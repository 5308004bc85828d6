/// The category of an action.
package enum Category: String, CaseIterable, Hashable, Sendable {
  case sleep
  case diaper
  case feeding

  /// Whether an action of the category has a duration. A diaper change has none.
  package var canRun: Bool {
    switch self {
    case .sleep, .feeding: true
    case .diaper: false
    }
  }
}
