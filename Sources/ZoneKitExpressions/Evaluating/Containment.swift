import ZoneKitRelations

/// What arrays and JSON values have of each other.
enum Containment {
  /// Whether the first value has all that the second one has. A null is in no array.
  static func contains(_ first: Datum, _ second: Datum) -> Bool {
    switch (first, second) {
    case (.array(let own), .array(let other)):
      let elements = Set(own)
      return other.allSatisfy { $0 != .null && elements.contains($0) }
    case (.jsonb(let own), .jsonb(let other)): return contains(own, other, isOutermost: true)
    default: return false
    }
  }

  /// Whether two arrays have an element in common that is not null.
  static func overlaps(_ first: Datum, _ second: Datum) -> Bool {
    guard case .array(let own) = first, case .array(let other) = second else { return false }
    let elements = Set(own)
    return other.contains { $0 != .null && elements.contains($0) }
  }

  /// Whether a JSON object has a member of that name, or an array or a text is or has it.
  static func hasKey(_ value: Datum, _ key: Datum) -> Bool {
    guard case .jsonb(let json) = value, case .text(let text) = key else { return false }
    switch json {
    case .object(let members): return members.contains { $0.key.utf8.elementsEqual(text.utf8) }
    case .array(let elements): return elements.contains(.string(text))
    case .string(let own): return own.utf8.elementsEqual(text.utf8)
    default: return false
    }
  }

  /// An outermost array also contains a single value (PostgreSQL 15, 8.14.3).
  private static func contains(_ first: JSONBValue, _ second: JSONBValue, isOutermost: Bool = false) -> Bool {
    switch (first, second) {
    case (.object(let own), .object(let other)):
      other.allSatisfy { member in
        own.contains { $0.key.utf8.elementsEqual(member.key.utf8) && contains($0.value, member.value) }
      }
    case (.array(let own), .array(let other)):
      other.allSatisfy { element in own.contains { contains($0, element) } }
    case (.array(let own), .string), (.array(let own), .number), (.array(let own), .boolean), (.array(let own), .null):
      isOutermost && own.contains(second)
    default: first == second
    }
  }
}
