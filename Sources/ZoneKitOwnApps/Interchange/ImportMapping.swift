import ZoneKitDeviceHost
import ZoneKitRecords

/// How the rows of a foreign file become records or documents, as a mapping file says.
struct ImportMapping: Sendable {
  /// The format of a foreign file.
  enum Format: Hashable, Sendable {
    /// Lines of values with that byte between them, the first one with the names of the columns.
    case csv(delimiter: UInt8)
    /// A list of objects: the file itself, or its member of that name.
    case json(list: String?)
  }

  /// What makes the ID of an entry.
  enum Key: Hashable, Sendable {
    /// All values that the mapping takes from the row. Equal rows are counted.
    case row
    /// The values of these columns.
    case columns([String])
    /// The value of this column is the ID itself.
    case id(String)
  }

  /// Where the value of a field comes from.
  enum Source: Hashable, Sendable {
    /// The values of these columns, with a blank between.
    case columns([String])
    /// This text, in every row.
    case value(String)
  }

  /// The value of a field.
  struct FieldRule: Sendable {
    /// The name of the field.
    var name: String
    /// Where it comes from.
    var source: Source
    /// The type of a record's field; nil in documents, whose file says it.
    var type: FieldType?
    /// The word of the text that is taken, from 1; nil for the whole text.
    var part: Int?
    /// Other texts for some texts.
    var words: [String: String] = [:]
    /// How its dates are written; nil as in the whole file.
    var dates: DatePattern?
    /// How many decimals a number has that is stored as a whole number of its smallest unit.
    var decimals = 0
    /// The way to the rule in the mapping file.
    var path: [Int] = []
  }

  /// The record type or collection.
  var into = ""
  var format = Format.csv(delimiter: UInt8(ascii: ","))
  var numbers = NumberStyle()
  /// How dates are written; nil for ISO 8601.
  var dates: DatePattern?
  /// The texts that stand for no value.
  var nothing: [String] = [""]
  var key = Key.row
  var fields: [FieldRule] = []
  /// The fields of the items of a document, and what makes their IDs; empty if rows are documents.
  var items: [FieldRule] = []
  var itemKey = Key.row
  /// The columns that are left.
  var left: [String] = []
  /// Whether files that are written begin with a byte order mark.
  var hasMark = false
  /// Rows with one of these texts in that column are passed over.
  var skipped: [String: [String]] = [:]

  /// The columns from which values are taken.
  var usedColumns: [String] {
    var used: [String] = []
    for case .columns(let columns) in (fields + items).map(\.source) { used += columns }
    for key in [key, itemKey] {
      switch key {
      case .row: break
      case .columns(let columns): used += columns
      case .id(let column): used.append(column)
      }
    }
    return used + skipped.keys.sorted()
  }
}
