import ZoneKitRecords

/// A condition on records. It is true, false, or unknown where it compares with a value that a record does not have.
package indirect enum RecordCondition: Hashable, Sendable {
  /// The comparisons of a value.
  package enum Comparison: Hashable, Sendable, CaseIterable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// All of these. Without any it is true.
  case all([RecordCondition])
  /// At least one of these. Without any it is false.
  case any([RecordCondition])
  /// The opposite; unknown stays unknown.
  case not(RecordCondition)
  /// The record's value compares so with another one.
  case compare(RecordKey, Comparison, RecordValue)
  /// The record's value is one of these.
  case isIn(RecordKey, [RecordValue])
  /// The record's text has these texts, one after another. Each is of ASCII characters, whose case does not matter.
  case contains(RecordKey, [String])
  /// The record's text begins with that text, byte by byte.
  case beginsWith(RecordKey, String)
  /// The record has no value, which is never unknown.
  case isMissing(RecordKey)
  /// The condition is false or unknown, which is never unknown.
  case isNotTrue(RecordCondition)
  /// The list in that field has such elements.
  case elements(Name, ListCondition)
  /// The text in that field, or in any field, has these words, in any case. All of them have to be there, or only one.
  case hasWords(Name?, [String], all: Bool)
  /// The location in that field is at most so many metres away from another one.
  case isNear(Name, Location, metres: Double)

  /// True, false, or nil for unknown, for a record.
  package func truth(of record: RecordSight) -> Bool? {
    switch self {
    case .all(let parts):
      let truths = parts.map { $0.truth(of: record) }
      return truths.contains(false) ? false : truths.contains(nil) ? nil : true
    case .any(let parts):
      let truths = parts.map { $0.truth(of: record) }
      return truths.contains(true) ? true : truths.contains(nil) ? nil : false
    case .not(let part): return part.truth(of: record).map { !$0 }
    case .compare(let key, let comparison, let other): return record[key].map { comparison.holds($0, other) }
    case .isIn(let key, let others): return record[key].map { others.contains($0) }
    case .contains(let key, let texts): return record[key].map { $0.contains(texts) }
    case .beginsWith(let key, let beginning): return record[key].map { $0.begins(with: beginning) }
    case .isMissing(let key): return record[key] == nil
    case .isNotTrue(let part): return part.truth(of: record) != true
    case .elements(let field, let condition): return record.list(field).map(condition.holds)
    case .hasWords(let field, let words, let all): return record.words(of: field).map { $0.hold(words, all: all) }
    case .isNear(let field, let place, let metres):
      return record.location(field).map { $0.squaredChord(to: place) <= Location.squaredChord(ofMetres: metres) }
    }
  }

  /// The conditions that all have to hold.
  package var conjuncts: [RecordCondition] {
    guard case .all(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }
}

extension RecordCondition {
  /// At least one of these. Equal values of one key are a list, for which stores have an index.
  package static func anyOf(_ parts: [RecordCondition]) -> RecordCondition {
    var list: (key: RecordKey, values: [RecordValue])?
    for part in parts {
      let next: (key: RecordKey, values: [RecordValue])
      switch part {
      case .compare(let key, .equal, let value): next = (key, [value])
      case .isIn(let key, let values): next = (key, values)
      default: return .any(parts)
      }
      guard list.map({ $0.key == next.key }) ?? true else { return .any(parts) }
      list = (next.key, (list?.values ?? []) + next.values)
    }
    return list.map { .isIn($0.key, $0.values) } ?? .any(parts)
  }
}

extension RecordValue {
  /// Whether the value is a text that begins with that text.
  func begins(with beginning: String) -> Bool {
    if case .text(let text) = self { text.text.utf8.starts(with: beginning.utf8) } else { false }
  }

  /// Whether the value is a text that has these texts, one after another, in any case of ASCII letters.
  fileprivate func contains(_ texts: [String]) -> Bool {
    guard case .text(let text) = self else { return false }
    func lowercased(_ text: String) -> [UInt8] {
      text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
    var rest = lowercased(text.text)[...]
    for wanted in texts.map(lowercased) {
      let starts = rest.startIndex...rest.endIndex
      guard let start = starts.first(where: { rest[$0...].starts(with: wanted) }) else { return false }
      rest = rest[(start + wanted.count)...]
    }
    return true
  }
}

extension RecordCondition.Comparison {
  fileprivate func holds(_ first: RecordValue, _ second: RecordValue) -> Bool {
    switch self {
    case .equal: first == second
    case .notEqual: first != second
    case .less: first < second
    case .lessOrEqual: !(second < first)
    case .greater: second < first
    case .greaterOrEqual: !(first < second)
    }
  }
}
