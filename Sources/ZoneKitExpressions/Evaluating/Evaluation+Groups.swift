import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSchema

/// Groups of rows.
extension Evaluation {
  /// A row for each group, in the order in which the groups are found.
  func rows(of groups: TypedGroups) throws(SQLFailure) -> [[Datum]] {
    let keys = groups.keys ?? 0
    var places: [[Datum]: Int] = [:]
    var members: [[[Datum]]] = groups.keys == nil ? [[]] : []
    for row in try rows(groups.query) {
      guard groups.keys != nil else {
        members[0].append(row)
        continue
      }
      let key = Array(row[..<keys])
      if let place = places[key] {
        members[place].append(row)
      } else {
        places[key] = members.count
        members.append([row])
      }
    }
    var result: [[Datum]] = []
    for rows in members {
      var row = Array(rows.first?[..<keys] ?? [])
      for aggregate in groups.aggregates { row.append(try aggregate.value(of: rows)) }
      result.append(row)
    }
    return result
  }
}

extension TypedAggregate {
  /// The result for the rows of a group.
  fileprivate func value(of rows: [[Datum]]) throws(SQLFailure) -> Datum {
    var given = rows
    if let filter { given = given.filter { $0[filter] == .boolean(true) } }
    if !order.isEmpty {
      given = given.enumerated().sorted { first, second in
        TypedOrder.areInOrder(order, keys(of: first.element), keys(of: second.element))
          ?? (first.offset < second.offset)
      }.map(\.element)
    }
    var arguments = given.map { Array($0[values]) }
    if isDistinct {
      var known: Set<[Datum]> = []
      arguments = arguments.filter { known.insert($0).inserted }
      // PostgreSQL sorts the values to find equal ones.
      if order.isEmpty { arguments.sort { first, second in Datum.array(first).order(to: .array(second)) < 0 } }
    }
    switch function {
    case .array: return arguments.isEmpty ? .null : .array(arguments.map { $0[0] })
    case .jsonArray, .plainJSONArray, .jsonObject, .plainJSONObject: return try json(arguments)
    case .count where values.isEmpty: return .integer(Int64(arguments.count))
    default: return try value(ofPresent: arguments.filter { $0[0] != .null })
    }
  }

  private func keys(of row: [Datum]) -> [Datum] {
    order.map { part in if case .column(let place) = part.value.kind { row[place.column] } else { .null } }
  }

  /// The result for values that are not null.
  private func value(ofPresent arguments: [[Datum]]) throws(SQLFailure) -> Datum {
    if function == .count { return .integer(Int64(arguments.count)) }
    guard let first = arguments.first?[0] else { return .null }
    switch function {
    case .sum, .avg: return try total(arguments.map { $0[0] })
    case .min: return arguments.reduce(first) { $1[0].order(to: $0) < 0 ? $1[0] : $0 }
    case .max: return arguments.reduce(first) { $1[0].order(to: $0) > 0 ? $1[0] : $0 }
    case .all: return .boolean(arguments.allSatisfy { $0[0] == .boolean(true) })
    case .one: return .boolean(arguments.contains { $0[0] == .boolean(true) })
    case .text:
      var text = ""
      for (place, argument) in arguments.enumerated() {
        if place > 0, case .text(let separator) = argument[1] { text += separator }
        if case .text(let part) = argument[0] { text += part }
      }
      return .text(text)
    default: return .null
    }
  }

  private func total(_ values: [Datum]) throws(SQLFailure) -> Datum {
    let own = types[0].unlimited
    // Sums are of the type of the result; those of averages are exact too.
    let type = function == .avg && own == .real ? .doublePrecision : self.type
    var sum = Datum.null
    for value in values {
      let next = try Conversion.value(value, from: own, to: type, isExplicit: false, now: 0)
      sum = sum == .null ? next : try Operation(type, .plus, type).value(sum, next)
    }
    guard function == .avg else { return sum }
    let count = try Conversion.value(
      .integer(Int64(values.count)), from: .bigint, to: type, isExplicit: false, now: 0)
    return try Operation(type, .divided, type).value(sum, count)
  }

  private func json(_ arguments: [[Datum]]) throws(SQLFailure) -> Datum {
    guard !arguments.isEmpty else { return .null }
    let isObject = function == .jsonObject || function == .plainJSONObject
    var parts: [String] = []
    for argument in arguments {
      guard isObject else {
        parts.append(JSONFunctions.json(argument[0], types[0]))
        continue
      }
      if argument[0] == .null { throw SQLFailure(.nullNotAllowed, "field name must not be null") }
      let key = try JSONFunctions.key(argument[0], types[0], 0, .plainJSONObject)
      parts.append("\(key) : \(JSONFunctions.json(argument[1], types[1]))")
    }
    let text = isObject ? "{ " + parts.joined(separator: ", ") + " }" : "[" + parts.joined(separator: ", ") + "]"
    return type == .json ? .json(text) : try DatumType.jsonb.datum(text, now: 0)
  }
}
