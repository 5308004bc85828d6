import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// Writes the messages with a change of a row (Tables over the wire, 6.4). The row is written once for all channels that
/// get the same columns.
package struct ChannelChangeWriter {
  /// The largest row that is sent in full, in bytes of JSON.
  static let rowLimit = 1 << 20
  /// The largest value that is sent of a larger row, in bytes of JSON.
  static let valueLimit = 64

  private static let firstTail = Array("},\"ref\":null}".utf8)
  private static let secondTail = Array("}]".utf8)

  private let change: ChannelChange
  private let row: ToldRow
  private var written: [(columns: [Name]?, isCut: Bool, data: [UInt8])] = []

  /// A writer for a change of a row of that table.
  package init(_ change: RowChange, of table: Table) {
    self.init(.row(change), .ofTable(change, table))
  }

  private init(_ change: ChannelChange, _ row: ToldRow) {
    self.change = change
    self.row = row
  }

  /// A writer for a change of a row; nil if its table is not one of those.
  package init?(_ change: ChannelChange, in schema: TableSchema) {
    switch change {
    case .row(let own):
      guard let table = schema.table(own.table) else { return nil }
      self.init(own, of: table)
    case .relation(let event):
      self.init(change, .ofRelation(event))
    }
  }

  /// The message for a channel.
  package mutating func text(for delivery: ChannelDelivery, _ version: ChannelVersion) -> ChannelMessage {
    var head: [UInt8] = []
    switch version {
    case .first:
      head.append(literal: "{\"topic\":")
      head.appendJSONString(delivery.topic)
      head.append(literal: ",\"event\":\"postgres_changes\",\"payload\":")
    case .second:
      head.append(literal: "[null,null,")
      head.appendJSONString(delivery.topic)
      head.append(literal: ",\"postgres_changes\",")
    }
    head.append(literal: "{\"ids\":[")
    for (index, id) in delivery.ids.enumerated() {
      if index > 0 { head.append(literal: ",") }
      head.appendDecimal(id)
    }
    head.append(literal: "],\"data\":")
    let data = data(delivery.columns, isCut: delivery.isCut)
    return ChannelMessage(head, data, version == .first ? Self.firstTail : Self.secondTail)
  }

  private mutating func data(_ columns: [Name]?, isCut: Bool) -> [UInt8] {
    if let known = written.first(where: { $0.columns == columns && $0.isCut == isCut }) { return known.data }
    let data = makeData(columns, isCut: isCut)
    written.append((columns, isCut, data))
    return data
  }

  private func makeData(_ columns: [Name]?, isCut: Bool) -> [UInt8] {
    let told = row.columns.filter { columns?.contains($0.name) ?? true }
    let names = told.map(\.name)
    var record = row.new(names)
    let isTooLarge = isCut || record.map { $0.count > Self.rowLimit } ?? false
    if isTooLarge { record = row.new(names.filter { row.isSmall($0, limit: Self.valueLimit) }) }

    var output: [UInt8] = []
    output.append(literal: "{\"schema\":\"public\",\"table\":")
    output.appendJSONString(change.table.text)
    output.append(literal: ",\"type\":\"\(change.kind.word)\",\"commit_timestamp\":\"")
    output.append(literal: change.stamp.iso8601)
    output.append(literal: isTooLarge ? "\",\"errors\":[\"Error 413: Payload Too Large\"]" : "\",\"errors\":null")
    output.append(literal: ",\"columns\":")
    output.appendJSON(.array(told.map { ["name": .string($0.name.text), "type": .string($0.type)] }))
    if let record {
      output.append(literal: ",\"record\":")
      output += record
    }
    if let old = row.old {
      output.append(literal: ",\"old_record\":")
      output += old
    }
    output.append(literal: "}")
    return output
  }
}

/// A row that changed, as events tell it.
private enum ToldRow {
  case ofTable(RowChange, Table)
  case ofRelation(RelationEvent)

  /// The columns with the names of their types.
  var columns: [(name: Name, type: String)] {
    switch self {
    case .ofTable(_, let table): table.columns.map { ($0.name, $0.type.name) }
    case .ofRelation(let event): event.columns.map { (Name($0.name), $0.type.catalogueName) }
    }
  }

  /// The row after the change, with those columns; nil if it is gone.
  func new(_ names: [Name]) -> [UInt8]? {
    switch self {
    case .ofTable(let change, let table): change.new.map { Self.text(of: $0, names, table) }
    case .ofRelation(let event):
      event.new.map { Self.text(of: $0, event) { names.contains(Name(event.columns[$0].name)) } }
    }
  }

  /// What is told of the row before the change; nil if it is new.
  var old: [UInt8]? {
    switch self {
    case .ofTable(let change, let table): change.old.map { Self.text(of: $0, table.key, table) }
    case .ofRelation(let event):
      event.old.map { Self.text(of: $0, event) { event.tellsOld || event.key.contains($0) } }
    }
  }

  /// Whether the value of a column has at most that many bytes of JSON.
  func isSmall(_ name: Name, limit: Int) -> Bool {
    var text: [UInt8] = []
    switch self {
    case .ofTable(let change, let table): if let row = change.new { text.append(row[name, table]) }
    case .ofRelation(let event):
      guard let row = event.new, let place = event.columns.firstIndex(where: { Name($0.name) == name }) else { break }
      event.columns[place].type.append(row[place], toJSON: &text)
    }
    return text.count <= limit
  }

  private static func text(of row: Row, _ columns: [Name], _ table: Table) -> [UInt8] {
    var output: [UInt8] = []
    RowText(.columns(columns.map { RowSelection.Column($0) }), of: table).append(row, to: &output)
    return output
  }

  private static func text(of row: [Datum], _ event: RelationEvent, _ isTold: (Int) -> Bool) -> [UInt8] {
    let places = event.columns.indices.filter(isTold)
    var output: [UInt8] = []
    RelationWriter(omitsNulls: false).append(
      places.map { .value(row[$0]) },
      places.map { RelationColumn(event.columns[$0].name, .value(event.columns[$0].type)) }, to: &output)
    return output
  }
}

extension RowChange.Kind {
  /// The word for it in events.
  fileprivate var word: String {
    switch self {
    case .insert: "INSERT"
    case .update: "UPDATE"
    case .delete: "DELETE"
    }
  }
}
