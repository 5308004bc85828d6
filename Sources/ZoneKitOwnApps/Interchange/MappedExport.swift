import ZoneKitDeviceHost
import ZoneKitRecords

/// Writes the entries of one type as a CSV file in the form of another program, as a mapping says: the import the other way
/// round. Deleted entries are left out.
struct MappedExport<Data: OwnData> {
  private let data: Data
  private let mapping: ImportMapping
  private let delimiter: UInt8
  /// The columns with their rules; nil for that of the ID.
  private var columns: [(name: String, rule: ImportMapping.FieldRule?)] = []

  /// An export by a mapping. Throws if the mapping cannot be turned round.
  init(_ data: Data, _ mapping: ImportMapping) throws(AppRefusal) {
    self.data = data
    self.mapping = mapping
    guard case .csv(let delimiter) = mapping.format, mapping.items.isEmpty else {
      throw AppRefusal("an export by a mapping is a CSV file without items; leave --map out for a file with everything")
    }
    self.delimiter = delimiter
    if case .id(let column) = mapping.key { columns.append((column, nil)) }
    for rule in mapping.fields {
      guard case .columns(let names) = rule.source else { continue }
      guard names.count == 1, rule.part == nil else {
        throw AppRefusal("\(rule.name) is a part of a column, or joins several, and cannot be written as a column")
      }
      guard !columns.contains(where: { $0.name == names[0] }) else {
        throw AppRefusal("two fields of the mapping have the column \"\(names[0])\"; an export needs one for each")
      }
      columns.append((names[0], rule))
    }
  }

  /// The file of a device.
  func export(_ view: AppView) throws -> DeviceApp.Export {
    let shelf = OwnShelf(data: data, view: view)
    let type = try data.type(mapping.into, known: try shelf.knownTypes(), isNew: false)
    var bytes: [UInt8] = mapping.hasMark ? [0xEF, 0xBB, 0xBF] : []
    append(columns.map(\.name), to: &bytes)
    for entry in try shelf.entries(of: type) where !entry.isDeleted {
      append(
        columns.map { column in
          guard let rule = column.rule else { return entry.word }
          guard let value = entry.fields[Name(rule.name)] else { return mapping.nothing.first }
          return text(of: value, rule, entry, view)
        }, to: &bytes)
    }
    return DeviceApp.Export(files: [DeviceApp.Export.File(name: "\(type).csv", text: bytes)])
  }

  private func text(
    of value: FieldValue, _ rule: ImportMapping.FieldRule, _ entry: OwnEntry, _ view: AppView
  ) -> String {
    let plain = data.plain(value, of: Name(rule.name), in: entry)
    // Of several texts with one meaning the first by order is written.
    if let word = rule.words.filter({ $0.value == plain }).keys.min() { return word }
    let pattern = rule.dates ?? mapping.dates
    switch value {
    case .int64(let number) where rule.decimals > 0: return mapping.numbers.text(number, decimals: rule.decimals)
    case .double(let number): return mapping.numbers.text(number)
    case .timestamp(let time): return pattern?.text(view.timeZone.local(time)) ?? plain
    case .string(let text):
      guard let pattern, data.isDay(Name(rule.name), in: entry), let day = WallTime(iso8601: text) else { return text }
      return pattern.text(day)
    case .reference(let reference): return reference.recordName.text
    default: return plain
    }
  }

  private func append(_ values: [String?], to bytes: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(delimiter) }
      // A column without a value is empty.
      if let value, !value.isEmpty { CSVText.append(value, separator: delimiter, to: &bytes) }
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }
}
