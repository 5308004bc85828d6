import ZoneKitRecords

/// Walks over the canonical text of a record's fields without decoding it: `{"name":{"type":"STRING","value":…},…}`.
/// Rows are read and answered with it, because decoding each field was most of the cost of a read.
struct FieldTextWalk {
  /// A field as ranges of the text.
  struct Entry {
    /// The field's name.
    var name: Range<Int>
    /// The name of the type, such as `STRING`.
    var type: Range<Int>
    /// The JSON text of the value.
    var value: Range<Int>
  }

  private static let fieldStart = Array(":{".utf8)
  private static let encrypted = Array("\"isEncrypted\":true,".utf8)
  private static let typeKey = Array("\"type\":".utf8)
  private static let valueKey = Array(",\"value\":".utf8)
  private static let fieldEnd = Array("}".utf8)

  private var position: Int
  private let end: Int

  /// A walk over that range of a text.
  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field; nil at the end. Throws if the text is not canonical.
  mutating func next(in bytes: borrowing [UInt8]) throws(StoreError) -> Entry? {
    guard position < end else { throw damaged }
    let mark = bytes[position]
    position += 1
    if mark == UInt8(ascii: "}"), position == end { return nil }
    guard mark == UInt8(ascii: "{") || mark == UInt8(ascii: ","), position < end else { throw damaged }
    if mark == UInt8(ascii: "{"), bytes[position] == UInt8(ascii: "}") {
      position += 1
      return nil
    }
    let name = try string(in: bytes)
    try skip(Self.fieldStart, in: bytes)
    if isNext(Self.encrypted, in: bytes) { position += Self.encrypted.count }
    try skip(Self.typeKey, in: bytes)
    let type = try string(in: bytes)
    try skip(Self.valueKey, in: bytes)
    let start = position
    try skipValue(in: bytes)
    let value = start..<position
    try skip(Self.fieldEnd, in: bytes)
    return Entry(name: name, type: type, value: value)
  }

  /// The text of a string between its quotes.
  private mutating func string(in bytes: borrowing [UInt8]) throws(StoreError) -> Range<Int> {
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { throw damaged }
    let start = position + 1
    try skipString(in: bytes)
    return start..<position - 1
  }

  private mutating func skipString(in bytes: borrowing [UInt8]) throws(StoreError) {
    var index = position + 1
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { break }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(index, end)
    guard position < end else { throw damaged }
    position += 1
  }

  /// Skips a value: up to the brace that ends the field's object.
  private mutating func skipValue(in bytes: borrowing [UInt8]) throws(StoreError) {
    var depth = 0
    while position < end {
      switch bytes[position] {
      case UInt8(ascii: "\""): try skipString(in: bytes)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}") where depth == 0: return
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      default: position += 1
      }
    }
    throw damaged
  }

  private func isNext(_ text: [UInt8], in bytes: borrowing [UInt8]) -> Bool {
    guard end - position >= text.count else { return false }
    for index in text.indices where bytes[position + index] != text[index] { return false }
    return true
  }

  private mutating func skip(_ text: [UInt8], in bytes: borrowing [UInt8]) throws(StoreError) {
    guard isNext(text, in: bytes) else { throw damaged }
    position += text.count
  }

  private var damaged: StoreError {
    StoreError(.corrupt, "is no canonical text at byte \(position)", place: "field text")
  }
}
