/// The category of a new action, with the details that the category requires.
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

  /// The content of a changed diaper.
  package var diaperType: DiaperType? {
    switch self {
    case .diaper(let type): type
    case .sleep, .feeding: nil
    }
  }

  /// The kind of feeding.
  package var feedingType: FeedingType? {
    switch self {
    case .feeding(let type): type
    case .sleep, .diaper: nil
    }
  }
}
