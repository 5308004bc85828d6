import ZoneKitRecords
import ZoneKitRelations

/// Members of JSON values.
enum JSONMember {
  /// The member of that name, or the element at that place; null if there is none.
  static func member(_ value: Datum, _ key: Datum) -> Datum {
    switch value {
    case .jsonb(let value): found(value, key).map { .jsonb($0) } ?? .null
    case .json(let text): found(text, key).map { .json($0.text()) } ?? .null
    default: .null
    }
  }

  /// The text of the member; null if there is none, or if it is null.
  static func text(_ value: Datum, _ key: Datum) -> Datum {
    switch value {
    case .jsonb(let value): found(value, key)?.plainText.map { .text($0) } ?? .null
    case .json(let text): found(text, key).flatMap { plainText($0) }.map { .text($0) } ?? .null
    default: .null
    }
  }

  private static func found(_ value: JSONBValue, _ key: Datum) -> JSONBValue? {
    switch (value, key) {
    case (.object(let members), .text(let name)): members.first { $0.key.isSame(name) }?.value
    case (.array(let elements), .integer(let place)): index(place, elements.count).map { elements[$0] }
    // PostgreSQL keeps a value alone as an array of one element.
    case (.null, .integer(0)), (.boolean, .integer(0)), (.number, .integer(0)), (.string, .integer(0)),
      (.null, .integer(-1)), (.boolean, .integer(-1)), (.number, .integer(-1)), (.string, .integer(-1)):
      value
    default: nil
    }
  }

  /// The last member of that name counts.
  private static func found(_ text: String, _ key: Datum) -> JSON? {
    guard let value = try? JSON(exactly: text) else { return nil }
    switch (value, key) {
    case (.object(let members), .text(let name)): return members.last { $0.key.isSame(name) }?.value
    case (.array(let elements), .integer(let place)): return index(place, elements.count).map { elements[$0] }
    default: return nil
    }
  }

  private static func plainText(_ value: JSON) -> String? {
    switch value {
    case .null: nil
    case .string(let text): text
    case .verbatim(let verbatim): verbatim.string ?? verbatim.text
    default: value.text()
    }
  }

  /// The index of a place, which is counted from zero, or from the end below zero.
  private static func index(_ place: Int64, _ count: Int) -> Int? {
    let index = place < 0 ? place + Int64(count) : place
    return index >= 0 && index < Int64(count) ? Int(index) : nil
  }

  /// The members of two objects, of which the second one's count, or the elements of both.
  static func joined(_ first: JSONBValue, _ second: JSONBValue) -> JSONBValue {
    if case .object(let own) = first, case .object(let other) = second {
      let names = Set(other.map { Name($0.key) })
      return object(own.filter { !names.contains(Name($0.key)) } + other)
    }
    return .array(elements(first) + elements(second))
  }

  // MARK: Changes

  /// A value with another one at a path, which may be new unless the fourth value is false.
  static func set(_ values: [Datum]) throws(SQLFailure) -> Datum {
    guard case .jsonb(let target) = values[0], case .array(let path) = values[1], case .jsonb(let new) = values[2]
    else {
      return .null
    }
    switch target {
    case .object, .array: break
    default: throw SQLFailure(.invalidParameter, "cannot set path in scalar")
    }
    let mayAdd = values.count < 4 || values[3] == .boolean(true)
    return .jsonb(try set(target, path[...], new, mayAdd, place: 1))
  }

  private static func set(
    _ target: JSONBValue, _ path: ArraySlice<Datum>, _ new: JSONBValue, _ mayAdd: Bool, place: Int
  ) throws(SQLFailure) -> JSONBValue {
    guard let first = path.first else { return target }
    guard case .text(let key) = first else {
      throw SQLFailure(.nullNotAllowed, "path element at position \(place) is null")
    }
    let (rest, isLast) = (path.dropFirst(), path.count == 1)
    switch target {
    case .object(var members):
      guard let known = members.firstIndex(where: { $0.key.isSame(key) }) else {
        return isLast && mayAdd ? object(members + [JSONBValue.Member(key, new)]) : target
      }
      members[known].value = isLast ? new : try set(members[known].value, rest, new, mayAdd, place: place + 1)
      return .object(members)
    case .array(var elements):
      guard let number = Int64(key) else {
        throw SQLFailure(.invalidText, "path element at position \(place) is not an integer: \"\(key)\"")
      }
      guard let known = index(number, elements.count) else {
        guard isLast, mayAdd else { return target }
        elements.insert(new, at: number < 0 ? 0 : elements.count)
        return .array(elements)
      }
      elements[known] = isLast ? new : try set(elements[known], rest, new, mayAdd, place: place + 1)
      return .array(elements)
    default: return target
    }
  }

  private static func elements(_ value: JSONBValue) -> [JSONBValue] {
    if case .array(let elements) = value { elements } else { [value] }
  }

  /// An object with those members in the order in which PostgreSQL keeps them.
  private static func object(_ members: [JSONBValue.Member]) -> JSONBValue {
    .object(
      members.sorted { first, second in
        let (own, other) = (first.key.utf8, second.key.utf8)
        return own.count == other.count ? own.lexicographicallyPrecedes(other) : own.count < other.count
      })
  }
}
