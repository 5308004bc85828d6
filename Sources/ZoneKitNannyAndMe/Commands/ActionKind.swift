/// What a new action is, with the details that its category needs.
package enum ActionKind: Hashable, Sendable {
  case sleep
  case diaper(DiaperType)
  case feeding(FeedingType)

  /// The category.
  package var category: Category {
    switch self {
    case .sleep: .sleep
    case .diaper: .diaper
    case .feeding: .feeding
    }
  }

  /// What a diaper change found.
  package var diaperType: DiaperType? {
    switch self {
    case .diaper(let type): type
    case .sleep, .feeding: nil
    }
  }

  /// How the baby is fed.
  package var feedingType: FeedingType? {
    switch self {
    case .feeding(let type): type
    case .sleep, .diaper: nil
    }
  }
}
