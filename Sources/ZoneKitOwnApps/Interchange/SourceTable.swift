import ZoneKitDeviceHost
import ZoneKitRecords

/// The rows of a foreign file, as texts with their places.
struct SourceTable {
  /// A value of a row.
  struct Cell: Hashable {
    /// The text.
    var text: String
    /// The offset of its first byte in the file.
    var offset: Int
    /// Whether it is a number of JSON, which has a point before its decimals in any file.
    var isNumber = false
  }

  /// A row.
  struct Row {
    /// The offset of its first byte in the file.
    var offset: Int
    /// Its values by column; none for a column without a value.
    var cells: [String: Cell]
  }

  /// The names of the columns with their places, in the order of the file.
  let columns: [Cell]
  /// The rows.
  let rows: [Row]

  /// The most rows of a file.
  static let rowLimit = 100_000

  /// Reads a file in the format of a mapping.
  init(_ bytes: [UInt8], _ format: ImportMapping.Format) throws(AppRefusal) {
    switch format {
    case .csv(let delimiter): try self.init(csv: bytes, delimiter)
    case .json(let list): try self.init(json: bytes, list)
    }
    guard rows.count <= Self.rowLimit else {
      throw AppRefusal("the file has \(rows.count) rows, at most \(Self.rowLimit) are taken; divide it")
    }
  }

  private init(csv bytes: [UInt8], _ delimiter: UInt8) throws(AppRefusal) {
    var records: [[CSVText.Field]]
    do throws(CSVError) {
      records = try CSVText.records(bytes, separator: delimiter)
    } catch {
      throw AppRefusal([FileProblem(TextPlace(error.offset, in: bytes.span), error.problem)])
    }
    guard !records.isEmpty else { throw AppRefusal("the file is empty; expected a line with the names of the columns") }
    let names = records.removeFirst()
    for (index, name) in names.enumerated() where names[..<index].contains(where: { $0.text == name.text }) {
      throw AppRefusal([FileProblem(TextPlace(name.offset, in: bytes.span), "there are two columns \"\(name.text)\"")])
    }
    let columns = names.map { Cell(text: $0.text, offset: $0.offset) }
    self.columns = columns
    rows = records.map { record in
      Row(
        offset: record.first?.offset ?? 0,
        cells: Dictionary(
          zip(columns, record).map { ($0.text, Cell(text: $1.text, offset: $1.offset)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  private init(json bytes: [UInt8], _ list: String?) throws(AppRefusal) {
    let json: JSON
    do throws(JSONError) {
      json = try JSON(exactly: bytes)
    } catch {
      throw AppRefusal([FileProblem(TextPlace(error.offset, in: bytes.span), "this is no JSON: \(error.message)")])
    }
    var node = JSONNode(json: json, path: [])
    if let list {
      guard let inner = node[list] else { throw AppRefusal("the file has no member \(list) with the rows") }
      node = inner
    }
    guard json.object != nil || json.array != nil, node.json.array != nil else {
      throw AppRefusal("expected a list of objects\(list.map { " in \($0)" } ?? ""), found \(node.json.kind)")
    }
    var columns: [Cell] = []
    var rows: [Row] = []
    for element in node.elements {
      guard element.json.object != nil else {
        let place = TextPlace(bytes.span.offset(of: element.path), in: bytes.span)
        throw AppRefusal([FileProblem(place, "expected an object, found \(element.json.kind)")])
      }
      var row = Row(offset: bytes.span.offset(of: element.path), cells: [:])
      for member in element.members {
        if !columns.contains(where: { $0.text == member.key }) {
          columns.append(Cell(text: member.key, offset: bytes.span.offset(of: member.value.path, isKey: true)))
        }
        guard let cell = try Self.cell(member.value, of: member.key, in: bytes) else { continue }
        row.cells[member.key] = cell
      }
      rows.append(row)
    }
    (self.columns, self.rows) = (columns, rows)
  }

  private static func cell(_ node: JSONNode, of key: String, in bytes: [UInt8]) throws(AppRefusal) -> Cell? {
    let offset = bytes.span.offset(of: node.path)
    switch node.json {
    case .null: return nil
    case .array, .object:
      let place = TextPlace(offset, in: bytes.span)
      throw AppRefusal([FileProblem(place, "\(key) is \(node.json.kind); expected a text, a number or a Boolean")])
    case .string(let text): return Cell(text: text, offset: offset)
    case .bool, .integer, .number: return Cell(text: node.json.text(), offset: offset, isNumber: node.json.bool == nil)
    case .verbatim(let value):
      return Cell(text: value.string ?? value.text, offset: offset, isNumber: value.string == nil)
    }
  }
}
