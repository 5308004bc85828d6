import ZoneKitRecords

/// The column `changed_by` of a record's row as JSON. The version's own change is mostly the newest of those that the server
/// has accepted, and then its text is copied without reading all of them.
enum AuthorText: Equatable {
  /// The version has no author.
  case none
  /// The text between those places of the record's bytes, which needs no escapes.
  case stored(Range<Int>)
  /// A string with its quotes.
  case written([UInt8])

  /// The author of a record's version. `applied` is the range of the accepted changes as the JSON text of a string.
  init(of record: RowRecord, in bytes: [UInt8], applied: Range<Int>?) throws(StoreError) {
    if let applied, let newest = Self.newest(of: record.deviceID, in: bytes.span, at: applied) {
      self = .stored(newest)
      return
    }
    let text = if let applied { try RowValue.text(in: bytes, at: applied) ?? "" } else { "" }
    guard let author = AppliedChanges(text).changedBy(deviceID: record.deviceID) else {
      self = .none
      return
    }
    var written: [UInt8] = []
    written.appendJSONString(author)
    self = .written(written)
  }

  /// The range of the newest change, `<device>:<revision>`, if it is that of the device.
  private static func newest(of device: String, in bytes: Span<UInt8>, at applied: Range<Int>) -> Range<Int>? {
    let name = device.utf8.span
    let start = applied.lowerBound + 1
    let mark = start + name.count
    guard mark < applied.upperBound, bytes[mark] == UInt8(ascii: ":") else { return nil }
    for index in name.indices where name[index] != bytes[start + index] { return nil }
    var end = mark + 1
    while end < applied.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) { end += 1 }
    guard end > mark + 1, end < applied.upperBound, bytes[end] == UInt8(ascii: " ") else { return nil }
    return start..<end
  }

  /// The most bytes of the JSON text.
  var length: Int {
    switch self {
    case .none: 4
    case .stored(let range): range.count + 2
    case .written(let text): text.count
    }
  }

  /// Appends the JSON text.
  func append(to output: inout OutputSpan<UInt8>, in bytes: Span<UInt8>) {
    switch self {
    case .none: output.append(literal: "null")
    case .stored(let range):
      output.append(UInt8(ascii: "\""))
      output.append(copying: bytes.extracting(range))
      output.append(UInt8(ascii: "\""))
    case .written(let text): output.append(copying: text.span)
    }
  }
}
