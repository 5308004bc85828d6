/// What kind of thing an action records.
package enum Category: String, CaseIterable, Hashable, Sendable {
  case sleep
  case diaper
  case feeding

  /// Whether an action of the category can run for a while; a diaper change is one moment.
  package var canRun: Bool {
    switch self {
    case .sleep, .feeding: true
    case .diaper: false
    }
  }
}
