import ZoneKitRelations
import ZoneKitSchema

/// An operator with the types of its sides.
struct Operation {
  private let left: DatumType
  private let known: SQLOperator
  private let right: DatumType

  /// The operator between values of those types.
  init(_ left: DatumType, _ known: SQLOperator, _ right: DatumType) {
    (self.left, self.known, self.right) = (left, known, right)
  }

  /// The result for two values.
  func value(_ first: Datum, _ second: Datum) throws(SQLFailure) -> Datum {
    switch known {
    case .isDistinctFrom: return .boolean(order(first, second) != 0)
    case .isNotDistinctFrom: return .boolean(order(first, second) == 0)
    case .joined where left.element != nil || right.element != nil: return joinedArrays(first, second)
    default: break
    }
    if first == .null || second == .null { return .null }
    switch known {
    case .equal: return .boolean(order(first, second) == 0)
    case .notEqual: return .boolean(order(first, second) != 0)
    case .less: return .boolean(order(first, second) < 0)
    case .lessOrEqual: return .boolean(order(first, second) <= 0)
    case .greater: return .boolean(order(first, second) > 0)
    case .greaterOrEqual: return .boolean(order(first, second) >= 0)
    case .plus, .minus, .times, .divided, .modulo: return try Arithmetic.value(first, known, second, left)
    case .joined: return joined(first, second)
    case .like, .notLike, .anyCaseLike, .notAnyCaseLike, .matches, .anyCaseMatches, .notMatches, .notAnyCaseMatches:
      return try matched(first, second)
    case .member: return JSONMember.member(first, second)
    case .memberText: return JSONMember.text(first, second)
    case .contains: return .boolean(Containment.contains(first, second))
    case .isContainedBy: return .boolean(Containment.contains(second, first))
    case .overlaps: return .boolean(Containment.overlaps(first, second))
    case .hasKey: return .boolean(Containment.hasKey(first, second))
    case .hasAnyKey, .hasAllKeys:
      guard case .array(let keys) = second else { return .null }
      // A null is the name of no member and is left out.
      let found = keys.filter { $0 != .null }.map { Containment.hasKey(first, $0) }
      return .boolean(known == .hasAnyKey ? found.contains(true) : !found.contains(false))
    case .isDistinctFrom, .isNotDistinctFrom: return .null
    }
  }

  /// The order of two values. Blanks at the end of padded texts do not count.
  private func order(_ first: Datum, _ second: Datum) -> Int {
    guard case .text(let own) = first, case .text(let other) = second, left.isPadded, right.isPadded else {
      return first.order(to: second)
    }
    return Datum.text(own.withoutBlanksAtEnd).order(to: .text(other.withoutBlanksAtEnd))
  }

  private func matched(_ first: Datum, _ second: Datum) throws(SQLFailure) -> Datum {
    guard case .text(let text) = first, case .text(let pattern) = second else { return .null }
    switch known {
    case .like: return .boolean(try LikePattern(pattern).matches(text))
    case .notLike: return .boolean(try !LikePattern(pattern).matches(text))
    case .anyCaseLike: return .boolean(try LikePattern(pattern.simpleLowercase).matches(text.simpleLowercase))
    case .notAnyCaseLike: return .boolean(try !LikePattern(pattern.simpleLowercase).matches(text.simpleLowercase))
    case .matches: return .boolean(try RegularExpression(pattern).matches(text))
    case .notMatches: return .boolean(try !RegularExpression(pattern).matches(text))
    case .anyCaseMatches: return .boolean(try RegularExpression(pattern, isAnyCase: true).matches(text))
    default: return .boolean(try !RegularExpression(pattern, isAnyCase: true).matches(text))
    }
  }

  private func joined(_ first: Datum, _ second: Datum) -> Datum {
    switch (first, second) {
    case (.bytes(let own), .bytes(let other)): .bytes(own + other)
    case (.jsonb(let own), .jsonb(let other)) where left == .jsonb && right == .jsonb:
      .jsonb(JSONMember.joined(own, other))
    default: .text(text(first, left) + text(second, right))
    }
  }

  /// The text that a value of any type is joined as.
  private func text(_ datum: Datum, _ type: DatumType) -> String {
    switch datum {
    case .boolean(let value): value ? "true" : "false"
    case .text(let text) where type.isPadded: text.withoutBlanksAtEnd
    default: type.text(of: datum)
    }
  }

  /// The elements of both sides, one of which may be a single element. Null is an element, but no array.
  private func joinedArrays(_ first: Datum, _ second: Datum) -> Datum {
    func elements(_ datum: Datum, _ type: DatumType) -> [Datum]? {
      if type.element == nil { return [datum] }
      if case .array(let elements) = datum { return elements }
      return nil
    }
    let (own, other) = (elements(first, left), elements(second, right))
    return own == nil && other == nil ? .null : .array((own ?? []) + (other ?? []))
  }
}
