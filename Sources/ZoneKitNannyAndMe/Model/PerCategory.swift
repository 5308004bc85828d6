/// An optional value for each category, in the order in which the app lists categories.
package struct PerCategory<Value: Hashable & Sendable>: Hashable, Sendable {
  private var sleep: Value?
  private var diaper: Value?
  private var feeding: Value?

  /// No value for any category.
  package init() {}

  /// The value of a category.
  package subscript(category: Category) -> Value? {
    get {
      switch category {
      case .sleep: sleep
      case .diaper: diaper
      case .feeding: feeding
      }
    }
    set {
      switch category {
      case .sleep: sleep = newValue
      case .diaper: diaper = newValue
      case .feeding: feeding = newValue
      }
    }
  }

  /// The categories that have a value, with their values.
  package var entries: [(category: Category, value: Value)] {
    Category.allCases.compactMap { category in self[category].map { (category, $0) } }
  }
}
