import ZoneKitRelations

/// A part of an order.
package struct TypedOrder: Hashable, Sendable {
  /// What rows are compared by.
  package var value: TypedExpression
  /// Whether the greatest comes first.
  package var isDescending: Bool
  /// Whether nulls come first.
  package var nullsFirst: Bool

  /// An order by that value. Nulls count as the greatest unless it is said otherwise.
  package init(_ value: TypedExpression, isDescending: Bool = false, nullsFirst: Bool? = nil) {
    self.value = value
    self.isDescending = isDescending
    self.nullsFirst = nullsFirst ?? isDescending
  }

  /// Whether a row with the first values comes before one with the second values, which are those of an order's parts; nil
  /// if the order does not tell.
  package static func areInOrder(_ parts: [TypedOrder], _ first: [Datum], _ second: [Datum]) -> Bool? {
    for (part, (own, other)) in zip(parts, zip(first, second)) {
      let order = part.order(own, other)
      if order != 0 { return order < 0 }
    }
    return nil
  }

  /// The order of two values: less than zero, zero or more than zero.
  private func order(_ first: Datum, _ second: Datum) -> Int {
    switch (first, second) {
    case (.null, .null): 0
    case (.null, _): nullsFirst ? -1 : 1
    case (_, .null): nullsFirst ? 1 : -1
    default: isDescending ? second.order(to: first) : first.order(to: second)
    }
  }
}
