import ZoneKitRecords
import ZoneKitRelations

/// Functions that return rows.
enum RowFunctions {
  /// The rows for those values; none if one of them is null.
  static func rows(_ function: RowFunction, _ values: [Datum]) throws(SQLFailure) -> [[Datum]] {
    guard !values.contains(.null), let first = values.first else { return [] }
    switch (function, first) {
    case (.elements, .array(let elements)): return elements.map { [$0] }
    case (.numbers, _): return try numbers(values)
    case (.plainJSONElements, .json(let text)):
      guard let json = try? JSON(exactly: text), let elements = json.array else { throw notArray }
      return elements.map { [.json($0.text())] }
    case (_, .json(let text)):
      guard case .jsonb(let value) = try DatumType.jsonb.datum(text, now: 0) else { return [] }
      return try rows(function, value)
    case (_, .jsonb(let value)): return try rows(function, value)
    default: return []
    }
  }

  private static var notArray: SQLFailure {
    SQLFailure(.invalidParameter, "cannot extract elements from an object")
  }

  private static func rows(_ function: RowFunction, _ value: JSONBValue) throws(SQLFailure) -> [[Datum]] {
    switch (function, value) {
    case (.jsonElements, .array(let elements)): return elements.map { [.jsonb($0)] }
    case (.jsonTexts, .array(let elements)), (.plainJSONTexts, .array(let elements)):
      return elements.map { [$0.plainText.map { .text($0) } ?? .null] }
    case (.jsonKeys, .object(let members)), (.plainJSONKeys, .object(let members)):
      return members.map { [.text($0.key)] }
    case (.jsonMembers, .object(let members)): return members.map { [.text($0.key), .jsonb($0.value)] }
    case (.jsonTextMembers, .object(let members)):
      return members.map { [.text($0.key), $0.value.plainText.map { .text($0) } ?? .null] }
    case (.jsonKeys, _), (.plainJSONKeys, _), (.jsonMembers, _), (.jsonTextMembers, _):
      let kind = if case .array = value { "an array" } else { "a scalar" }
      throw SQLFailure(.invalidParameter, "cannot call \(function.rawValue) on \(kind)")
    case (_, .object): throw notArray
    default: throw SQLFailure(.invalidParameter, "cannot extract elements from a scalar")
    }
  }

  /// The most rows of a series.
  private static let limit = 1_000_000

  private static func numbers(_ values: [Datum]) throws(SQLFailure) -> [[Datum]] {
    let numbers = values.map { value -> Int64 in if case .integer(let number) = value { number } else { 0 } }
    let step = numbers.count > 2 ? numbers[2] : 1
    guard step != 0 else { throw SQLFailure(.invalidParameter, "step size cannot equal zero") }
    var rows: [[Datum]] = []
    var next = numbers[0]
    while step > 0 ? next <= numbers[1] : next >= numbers[1] {
      guard rows.count < limit else {
        throw SQLFailure(.programLimit, "generate_series returns more than \(limit) rows")
      }
      rows.append([.integer(next)])
      let (sum, overflow) = next.addingReportingOverflow(step)
      if overflow { break }
      next = sum
    }
    return rows
  }
}
