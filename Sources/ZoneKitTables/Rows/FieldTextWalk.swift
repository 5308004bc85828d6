import ZoneKitRecords

/// Walks over the canonical text of a record's fields without decoding it: `{"name":{"type":"STRING","value":…},…}`.
/// Rows are read and answered with it, because decoding each field was most of the cost of a read.
struct FieldTextWalk {
  /// A field of a column.
  struct Entry {
    /// The place of the column in the table; the number of columns for the changes that the server has accepted.
    var place: Int
    /// The range of the JSON text of the value.
    var value: Range<Int>
  }

  private static let fieldStart = Array(":{".utf8)
  private static let encrypted = Array("\"isEncrypted\":true,".utf8)
  private static let typeKey = Array("\"type\":".utf8)
  private static let valueKey = Array(",\"value\":".utf8)

  private let layout: RecordLayout
  /// The first field of the layout that was not passed yet.
  private var candidate = 0
  private var position: Int
  private let end: Int

  /// A walk over that range of a text.
  init(_ range: Range<Int>, _ layout: RecordLayout) {
    self.layout = layout
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next field that belongs to a column; nil at the end. Throws if the text is not canonical.
  mutating func next(in bytes: Span<UInt8>) throws(StoreError) -> Entry? {
    while try beginsField(in: bytes) {
      let place =
        if let place = expectedField(in: bytes) { place } else { try anyField(in: bytes) }
      let start = position
      try skipValue(in: bytes)
      let value = start..<position
      try skip(UInt8(ascii: "}"), in: bytes)
      if let place { return Entry(place: place, value: value) }
    }
    return nil
  }

  /// Skips what stands before a field. False at the end.
  private mutating func beginsField(in bytes: Span<UInt8>) throws(StoreError) -> Bool {
    guard position < end else { throw damaged }
    let mark = bytes[position]
    position += 1
    if mark == UInt8(ascii: "}"), position == end { return false }
    guard mark == UInt8(ascii: "{") || mark == UInt8(ascii: ","), position < end else { throw damaged }
    guard mark == UInt8(ascii: "{"), bytes[position] == UInt8(ascii: "}") else { return true }
    position += 1
    return false
  }

  /// Skips the beginning of a field as the layout has it. Fields that the record does not have are passed over. Returns
  /// the place of the field's column; nil if the field has another beginning.
  private mutating func expectedField(in bytes: Span<UInt8>) -> Int? {
    let layout = layout
    let rest = bytes.extracting(position..<end)
    while candidate < layout.fields.count {
      let field = layout.fields[candidate]
      let beginning = layout.text.span.extracting(field.beginning)
      let common = beginning.commonBeginning(with: rest)
      if common == beginning.count {
        candidate += 1
        position += common
        return field.place
      }
      guard common < rest.count, beginning[common] < rest[common] else { return nil }
      candidate += 1
    }
    return nil
  }

  /// Skips the beginning of a field. Returns the place of its column; nil if it has none.
  private mutating func anyField(in bytes: Span<UInt8>) throws(StoreError) -> Int? {
    let name = try string(in: bytes)
    try skip(Self.fieldStart, in: bytes)
    if isNext(Self.encrypted, in: bytes) { position += Self.encrypted.count }
    try skip(Self.typeKey, in: bytes)
    _ = try string(in: bytes)
    try skip(Self.valueKey, in: bytes)
    for field in layout.fields where isEqual(field.name, name, in: bytes) { return field.place }
    return nil
  }

  private func isEqual(_ own: Range<Int>, _ other: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    own.count == other.count
      && layout.text.span.extracting(own).commonBeginning(with: bytes.extracting(other)) == own.count
  }

  /// The text of a string between its quotes.
  private mutating func string(in bytes: Span<UInt8>) throws(StoreError) -> Range<Int> {
    guard position < end, bytes[position] == UInt8(ascii: "\"") else { throw damaged }
    let start = position + 1
    try skipString(in: bytes)
    return start..<position - 1
  }

  private mutating func skipString(in bytes: Span<UInt8>) throws(StoreError) {
    let text = bytes.extracting(0..<end)
    var index = position + 1
    while index < end {
      index = text.endOfPlainText(from: index)
      guard index < end else { break }
      if text[index] == UInt8(ascii: "\"") {
        position = index + 1
        return
      }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = end
    throw damaged
  }

  /// Skips a value: up to the brace that ends the field's object.
  private mutating func skipValue(in bytes: Span<UInt8>) throws(StoreError) {
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

  private func isNext(_ text: [UInt8], in bytes: Span<UInt8>) -> Bool {
    guard end - position >= text.count else { return false }
    for index in text.indices where bytes[position + index] != text[index] { return false }
    return true
  }

  private mutating func skip(_ text: [UInt8], in bytes: Span<UInt8>) throws(StoreError) {
    guard isNext(text, in: bytes) else { throw damaged }
    position += text.count
  }

  private mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) throws(StoreError) {
    guard position < end, bytes[position] == byte else { throw damaged }
    position += 1
  }

  private var damaged: StoreError {
    StoreError(.corrupt, "is no canonical text at byte \(position)", place: "field text")
  }
}
