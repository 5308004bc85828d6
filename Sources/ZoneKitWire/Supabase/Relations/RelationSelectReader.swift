import ZoneKitRelations
import ZoneKitTables

/// Reads the text of `select`: columns, values in JSON and related rows (PostgREST: vertical filtering, resource embedding).
struct RelationSelectReader {
  /// The deepest nesting of related rows.
  static let depthLimit = 8
  /// The most parts of a selection.
  static let itemLimit = 1_000

  private var reader: RowTextReader
  private var count = 0

  /// What an answer has of a row.
  static func items(_ text: String) throws(RowError) -> [RelationItem] {
    var own = RelationSelectReader(reader: RowTextReader(text, of: "select parameter"))
    own.reader.skipBlanks()
    guard !own.reader.isAtEnd else { return [.all] }
    let items = try own.items(depth: 1)
    guard own.reader.isAtEnd else { throw own.reader.failure(expecting: "\",\" or the end") }
    return items
  }

  private mutating func items(depth: Int) throws(RowError) -> [RelationItem] {
    var items: [RelationItem] = []
    repeat {
      count += 1
      guard count <= Self.itemLimit else {
        throw RowError(.unreadableQuery, "more than \(Self.itemLimit) parts in one selection")
      }
      reader.skipBlanks()
      items.append(try item(depth: depth))
      reader.skipBlanks()
    } while reader.skip(",")
    return items
  }

  private mutating func item(depth: Int) throws(RowError) -> RelationItem {
    if reader.skip("*") { return .all }
    let isSpread = reader.skip("...")
    var name = try reader.name()
    var alias: String?
    reader.skipBlanks()
    if !isSpread, reader.next == UInt8(ascii: ":"), !reader.startsWith("::") {
      _ = reader.skip(":")
      reader.skipBlanks()
      (alias, name) = (name, try reader.name())
      reader.skipBlanks()
    }
    if reader.next == UInt8(ascii: "!") || reader.next == UInt8(ascii: "(") || isSpread {
      return try embedding(name, alias: alias, isSpread: isSpread, depth: depth)
    }
    let field = RelationField(name, try reader.path())
    guard reader.next != UInt8(ascii: ".") else { throw .aggregate }
    return .value(field, name: alias ?? field.name, cast: try cast())
  }

  /// The type behind two colons; nil if there are none.
  private mutating func cast() throws(RowError) -> String? {
    guard reader.skip("::") else { return nil }
    let word = reader.words()
    guard !word.isEmpty else { throw reader.failure(expecting: "the name of a type") }
    guard reader.next != UInt8(ascii: ".") else { throw .aggregate }
    return word
  }

  private mutating func embedding(
    _ target: String, alias: String?, isSpread: Bool, depth: Int
  ) throws(RowError) -> RelationItem {
    guard depth < Self.depthLimit else {
      throw reader.failure(expecting: "at most \(Self.depthLimit) nested selections")
    }
    var embedding = RelationEmbedding(target, named: alias, isSpread: isSpread)
    while reader.skip("!") {
      let word = try reader.name()
      switch word {
      case "inner": embedding.isInner = true
      case "left": embedding.isInner = false
      default: embedding.hint = word
      }
    }
    reader.skipBlanks()
    try reader.require("(")
    reader.skipBlanks()
    if reader.skip(")") {
      guard target != "count" || alias != nil else { throw .aggregate }
      embedding.reading = RelationReading([])
      return .embedded(embedding)
    }
    embedding.reading = RelationReading(try items(depth: depth + 1))
    try reader.require(")")
    return .embedded(embedding)
  }
}

extension RowError {
  /// Functions of several rows are not served, as on a server of Supabase with its usual settings.
  fileprivate static var aggregate: RowError {
    RowError(400, "PGRST123", "Use of aggregate functions is not allowed")
  }
}
