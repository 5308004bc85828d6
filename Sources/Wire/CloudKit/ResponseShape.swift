import Records

/// How a client wants its answer written; it changes nothing of what is done.
package struct ResponseShape: Hashable, Sendable {
  /// Whether INT64, DOUBLE and TIMESTAMP values are written as strings (CloudKit Web Services, c.4).
  package var numbersAsStrings: Bool
  /// The fields to return for each item of the request, in its order; nil for all. Empty where no item names any.
  package var desiredKeys: [[Name]?]
  /// The fields to return where an item names none itself; nil for all.
  package var defaultDesiredKeys: [Name]?

  /// Everything, as it is stored.
  package init(numbersAsStrings: Bool = false, desiredKeys: [[Name]?] = [], defaultDesiredKeys: [Name]? = nil) {
    self.numbersAsStrings = numbersAsStrings
    self.desiredKeys = desiredKeys
    self.defaultDesiredKeys = defaultDesiredKeys
  }

  /// The fields to return for the item at that place; nil for all.
  func desiredKeys(at index: Int) -> [Name]? {
    index < desiredKeys.count ? desiredKeys[index] ?? defaultDesiredKeys : defaultDesiredKeys
  }
}
