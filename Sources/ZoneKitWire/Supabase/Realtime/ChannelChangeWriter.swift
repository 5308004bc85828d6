import ZoneKitRecords
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

  private let change: RowChange
  private let table: Table
  private var written: [(columns: [Name]?, isCut: Bool, data: [UInt8])] = []

  /// A writer for a change of a row of that table.
  package init(_ change: RowChange, of table: Table) {
    self.change = change
    self.table = table
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
    let told = table.columns.filter { columns?.contains($0.name) ?? true }
    var record: [UInt8]?
    if let row = change.new { record = text(of: row, told.map(\.name)) }
    let isTooLarge = isCut || record.map { $0.count > Self.rowLimit } ?? false
    if isTooLarge, let row = change.new { record = text(of: row, told.map(\.name).filter { isSmall(row[$0, table]) }) }

    var output: [UInt8] = []
    output.append(literal: "{\"schema\":\"public\",\"table\":")
    output.appendJSONString(table.name.text)
    output.append(literal: ",\"type\":\"\(change.kind.word)\",\"commit_timestamp\":\"")
    output.append(literal: change.stamp.iso8601)
    output.append(literal: isTooLarge ? "\",\"errors\":[\"Error 413: Payload Too Large\"]" : "\",\"errors\":null")
    output.append(literal: ",\"columns\":")
    output.appendJSON(
      .array(told.map { ["name": .string($0.name.text), "type": .string($0.type.name)] }))
    if let record {
      output.append(literal: ",\"record\":")
      output += record
    }
    if let old = change.old {
      output.append(literal: ",\"old_record\":")
      output += text(of: old, table.key)
    }
    output.append(literal: "}")
    return output
  }

  private func text(of row: Row, _ columns: [Name]) -> [UInt8] {
    var output: [UInt8] = []
    RowText(.columns(columns.map { RowSelection.Column($0) }), of: table).append(row, to: &output)
    return output
  }

  private func isSmall(_ value: RowValue) -> Bool {
    var text: [UInt8] = []
    text.append(value)
    return text.count <= Self.valueLimit
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
