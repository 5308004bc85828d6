import ZoneKitCloud
import ZoneKitRecords

/// The SQL text of a query.
extension RecordQuery {
  /// A part of the records, all of which come before or after the others.
  enum Part {
    case all
    case having(RecordKey)
    case missing(RecordKey)
  }

  /// The parts in the order of the query: an index has missing values before all others, in any direction.
  var parts: [Part] {
    guard let first = order.first, !first.key.isAlwaysThere else { return [.all] }
    let parts = [Part.missing(first.key), .having(first.key)]
    return first.missingFirst ? parts : parts.reversed()
  }

  /// The parts in which records can be that come after the place `after`.
  var partsToRead: [Part] {
    guard let after, let first = order.first, parts.count == 2 else { return parts }
    let isInFirst = (after.values[0] == nil) == first.missingFirst
    return isInFirst ? parts : [parts[1]]
  }

  /// Whether the condition or the order needs the decoded fields of records.
  var needsFields: Bool { condition.needsFields || order.contains { $0.key.needsFields } }

  func source(_ index: String?, _ part: Part) -> QueryText {
    var text = QueryText(" FROM records")
    if let index { text.append(" INDEXED BY \(index.quotedName)") }
    text.append(" WHERE deleted = 0 AND type = \(recordType.text.quotedText)")
    let conjuncts = condition.conjuncts.filter { !$0.needsFields }
    if !conjuncts.isEmpty {
      text.append(" AND (")
      text.append(QueryText(conjuncts.count == 1 ? conjuncts[0] : .all(conjuncts)))
      text.append(")")
    }
    switch part {
    case .all: break
    case .having(let key): text.append(" AND \(key.expression) IS NOT NULL")
    case .missing(let key): text.append(" AND \(key.expression) IS NULL")
    }
    return text
  }

  /// The statement that reads one record more than `limit`.
  func text(columns: String, of part: Part, index: String?, limit: Int, offset: Int) -> QueryText {
    var text = QueryText("SELECT \(columns)")
    text.append(source(index, part))
    if let after, !order.contains(where: { $0.key.needsFields }) { text.append(following(after, in: part)) }
    text.append(orderText(of: part))
    text.append(" LIMIT ")
    text.append(.integer(Int64(clamping: limit == .max ? limit : limit + 1)))
    text.append(" OFFSET ")
    text.append(.integer(Int64(clamping: offset)))
    return text
  }

  /// The order of the records of a part, without the terms that need decoded fields.
  func orderText(of part: Part) -> String {
    var terms: [String] = []
    for (place, term) in order.enumerated() {
      if case .missing = part, place == 0 { continue }
      let isDivided = if case .all = part { false } else { place == 0 }
      let nulls = term.key.isAlwaysThere || isDivided ? "" : term.missingFirst ? " NULLS FIRST" : " NULLS LAST"
      terms.append("\(term.key.expression)\(term.isDescending ? " DESC" : "")\(nulls)")
    }
    if !order.contains(where: { $0.key == .recordName }) { terms.append("name") }
    return " ORDER BY \(terms.joined(separator: ", "))"
  }

  func countText(of part: Part, index: String?) -> QueryText {
    var text = QueryText("SELECT count(*)")
    text.append(source(index, part))
    return text
  }

  /// The statement that counts the records that fulfil a part of the condition, up to a limit.
  func probeText(_ part: RecordCondition, index: String, limit: Int) -> QueryText {
    var text = QueryText("SELECT count(*) FROM (SELECT 1")
    text.append(RecordQuery(recordType, where: part).source(index, .all))
    text.append(" LIMIT \(limit))")
    return text
  }

  // MARK: The place after which records begin

  /// The condition that a record of a part comes after a place.
  private func following(_ place: Position, in part: Part) -> QueryText {
    var text = QueryText()
    if let first = order.first, let value = place.values.first ?? nil, part.isOf(first.key) {
      // The comparison with one value alone lets SQLite find the place in an index.
      text.append(" AND \(first.key.expression) \(first.isDescending ? "<=" : ">=") ")
      text.append(value.bound)
    }
    text.append(" AND (")
    for (index, term) in order.enumerated() {
      text.append(QueryText.equalities(zip(order, place.values).prefix(index)))
      text.append(QueryText(after: place.values[index], by: term))
      text.append(" OR ")
    }
    text.append(QueryText.equalities(zip(order, place.values).prefix(order.count)))
    if let name = place.recordName {
      text.append("name > ")
      text.append(.text(name.text))
    } else {
      text.append("0")
    }
    text.append(")")
    return text
  }
}

extension RecordQuery.Part {
  /// Whether all records of the part have a value of that key.
  fileprivate func isOf(_ key: RecordKey) -> Bool {
    switch self {
    case .having(let divided): divided == key
    case .all, .missing: key.isAlwaysThere
    }
  }
}

extension QueryText {
  /// The conditions that a record has these values, each followed by AND.
  fileprivate static func equalities(
    _ terms: some Sequence<(RecordQuery.Order, RecordValue?)>
  ) -> QueryText {
    var text = QueryText()
    for (term, value) in terms {
      guard let value else {
        text.append("\(term.key.expression) IS NULL AND ")
        continue
      }
      text.append("\(term.key.expression) = ")
      text.append(value.bound)
      text.append(" AND ")
    }
    return text
  }

  /// The condition that a record comes after one with that value in the order of one term.
  fileprivate init(after value: RecordValue?, by term: RecordQuery.Order) {
    self.init()
    let expression = term.key.expression
    guard let value else {
      append(term.missingFirst ? "\(expression) IS NOT NULL" : "0")
      return
    }
    append("(\(expression) \(term.isDescending ? "<" : ">") ")
    append(value.bound)
    append(term.missingFirst || term.key.isAlwaysThere ? ")" : " OR \(expression) IS NULL)")
  }
}
