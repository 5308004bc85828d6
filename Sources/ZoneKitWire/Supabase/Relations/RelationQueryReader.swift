import ZoneKitRelations
import ZoneKitTables

/// Reads the query of a URL under `/rest/v1/<table>` of a schema of a user's own. Each item that is no word of the protocol
/// is a condition. A path before a name tells the related rows that the item is about.
struct RelationQueryReader {
  /// Which rows are wanted.
  private(set) var reading = RelationReading()
  /// The columns that a write names in `columns`; nil if it names none.
  private(set) var columns: [String]?
  /// The columns of `on_conflict`; nil if there is none.
  private(set) var conflict: [String]?
  private var conditions = RelationConditionReader()

  /// Reads those items. The selection comes first, as the others may be about its parts.
  init(_ items: [HTTPField]) throws(RowError) {
    if let selection = items.last(where: { $0.name == "select" }) {
      reading.items = try RelationSelectReader.items(selection.value)
    }
    for item in items where item.name != "select" { try read(item) }
  }

  private mutating func read(_ item: HTTPField) throws(RowError) {
    switch item.name {
    // The key may be an item of the query too.
    case "apikey": break
    case "columns": columns = try RowTextReader.names(item.value, of: "columns parameter")
    case "on_conflict": conflict = try RowTextReader.names(item.value, of: "on_conflict parameter")
    default: try read(item, at: Self.place(item.name))
    }
  }

  /// Limits the rows to those of the field `Range`, such as `0-9`. The query's own limits count before it.
  mutating func apply(range: String?) {
    guard let range, reading.limit == nil, reading.offset == 0 else { return }
    let parts = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0.trimmed) }
    guard parts.count == 2, let first = parts[0], first >= 0 else { return }
    reading.offset = first
    reading.limit = parts[1].map { max(0, $0 - first + 1) }
  }

  // MARK: Names

  /// What an item is about: names of related rows, the outermost first, and a field or a word of the protocol.
  private struct Place {
    var path: [String] = []
    var field: RelationField
    var isNegated = false

    /// The word of the protocol; nil for a field.
    var word: String? { field.path.isEmpty ? field.column : nil }
  }

  private static func place(_ name: String) throws(RowError) -> Place {
    var reader = RowTextReader(name, of: "name")
    var path: [String] = []
    var part = try reader.name()
    while reader.skip(".") {
      path.append(part)
      part = try reader.name()
    }
    var place = Place(path: path, field: RelationField(part, try reader.path()))
    guard reader.isAtEnd else { throw reader.failure(expecting: "\".\", \"->\" or the end") }
    if path.last == "not", part == "and" || part == "or" {
      place.path.removeLast()
      place.isNegated = true
    }
    return place
  }

  // MARK: Items

  private mutating func read(_ item: HTTPField, at place: Place) throws(RowError) {
    switch place.word {
    case "order":
      let order = try Self.order(item.value)
      try reading.change(at: place.path) { $0.order = order }
    case "limit":
      let limit = try RowQueryReader.number(item)
      try reading.change(at: place.path) { $0.limit = limit }
    case "offset":
      let offset = try RowQueryReader.number(item)
      try reading.change(at: place.path) { $0.offset = offset }
    case "and", "or":
      let all = try conditions.conditions(item.value, isAny: place.word == "or")
      try reading.change(at: place.path) { $0.conditions.append(place.isNegated ? .not(all) : all) }
    default:
      let condition = try conditions.condition(on: place.field, item.value)
      try reading.change(at: place.path) { $0.conditions.append(condition) }
    }
  }

  /// The most parts of an order.
  private static let orderLimit = 100

  private static func order(_ text: String) throws(RowError) -> [RelationOrder] {
    var reader = RowTextReader(text, of: "order")
    var parts: [RelationOrder] = []
    guard !reader.isAtEnd else { return parts }
    repeat {
      guard parts.count < orderLimit else { throw reader.failure(expecting: "at most \(orderLimit) parts of an order") }
      reader.skipBlanks()
      var field = RelationField(try reader.name(), try reader.path())
      var relation: String?
      if field.path.isEmpty, reader.skip("(") {
        relation = field.column
        field = RelationField(try reader.name(), try reader.path())
        try reader.require(")")
      }
      let (isDescending, nullsFirst) = reader.direction()
      parts.append(RelationOrder(field, of: relation, isDescending: isDescending, nullsFirst: nullsFirst))
      reader.skipBlanks()
    } while reader.skip(",")
    guard reader.isAtEnd else { throw reader.failure(expecting: "\",\", asc, desc, nullsfirst or nullslast") }
    return parts
  }
}

extension RelationReading {
  /// Changes the reading of related rows; the reading itself for an empty path.
  fileprivate mutating func change(
    at path: [String], _ body: (inout RelationReading) -> Void
  ) throws(RowError) {
    guard let name = path.first else { return body(&self) }
    for (place, item) in items.enumerated() {
      guard case .embedded(var embedding) = item, embedding.name.utf8.elementsEqual(name.utf8) else { continue }
      try embedding.reading.change(at: Array(path.dropFirst()), body)
      items[place] = .embedded(embedding)
      return
    }
    throw RowError.notEmbedded(name)
  }
}
