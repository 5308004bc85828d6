import ZoneKitRecords

/// A condition on the elements of a list.
package enum ListCondition: Hashable, Sendable {
  /// All of these values are elements.
  case hasAll([RecordValue])
  /// At least one of these values is an element.
  case hasAny([RecordValue])
  /// At least one element is a text that begins with that text.
  case hasOneBeginning(String)

  /// Whether the condition holds for a list. Its cost grows with the sum of both lengths.
  func holds(for list: [RecordValue]) -> Bool {
    switch self {
    case .hasAll(let values):
      let elements = Set(list)
      return values.allSatisfy { elements.contains($0) }
    case .hasAny(let values):
      let elements = Set(list)
      return values.contains { elements.contains($0) }
    case .hasOneBeginning(let beginning): return list.contains { $0.begins(with: beginning) }
    }
  }
}
