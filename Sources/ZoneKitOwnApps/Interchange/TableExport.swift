import ZoneKitDeviceHost
import ZoneKitRecords

/// Writes the entries of one type as CSV: a line with the names of the columns, `id` first, then one for each entry. Deleted
/// entries are left out.
struct TableExport<Data: OwnData> {
  let data: Data

  /// The file of a type of a device.
  func export(_ word: String, _ view: AppView) throws -> DeviceApp.Export {
    let shelf = OwnShelf(data: data, view: view)
    let type = try data.type(word, known: try shelf.knownTypes(), isNew: false)
    let entries = try shelf.entries(of: type).filter { !$0.isDeleted }
    let columns = data.columns(of: entries)
    var bytes: [UInt8] = []
    append(["id"] + columns.map(\.text), to: &bytes)
    for entry in entries {
      let values = columns.map { name in entry.fields[name].map { data.plain($0, of: name, in: entry) } }
      append([entry.word] + values, to: &bytes)
    }
    return DeviceApp.Export(files: [DeviceApp.Export.File(name: "\(type).csv", text: bytes)])
  }

  /// Appends a line. A field without a value is empty, and an empty text has quotes.
  private func append(_ values: [String?], to bytes: inout [UInt8]) {
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let value { CSVText.append(value, to: &bytes) }
    }
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }
}
