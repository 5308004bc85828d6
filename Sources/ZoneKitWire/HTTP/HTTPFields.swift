/// The header fields of a received message. It keeps the bytes of the head and makes a string only for a field that is
/// read.
package struct HTTPFields: Sendable {
  /// The whole head, of which the lines are slices.
  private let head: [UInt8]
  private let lines: [Line]

  /// The positions of a name and its value in the head. `HTTPLimits.head` fits 16 bits.
  private struct Line {
    let name: Range<UInt16>
    let value: Range<UInt16>
  }

  /// The number of fields.
  package var count: Int { lines.count }

  /// The fields in the order received. Bytes that are not UTF-8 are replaced.
  package var list: [HTTPField] {
    lines.indices.map { HTTPField(text(lines[$0].name), text(lines[$0].value)) }
  }

  /// The value of the first field with that name, case-insensitively; nil if there is none.
  package subscript(_ name: String) -> String? {
    for index in lines.indices where has(name, at: index) { return text(lines[index].value) }
    return nil
  }

  /// Whether there is more than one field with that name, case-insensitively.
  func isRepeated(_ name: String) -> Bool {
    var count = 0
    for index in lines.indices where has(name, at: index) { count += 1 }
    return count > 1
  }

  /// The values of all fields with that name, case-insensitively.
  package func values(_ name: String) -> [String] {
    lines.indices.filter { has(name, at: $0) }.map { text(lines[$0].value) }
  }

  /// Splits a head that ends with its empty line into fields. The first field begins at `start` (RFC 9112, 5).
  init(head: [UInt8], from start: Int) throws(HTTPError) {
    var lines: [Line] = []
    lines.reserveCapacity(16)
    var position = start
    // The end is computed and not searched for a CR: a line that begins with a stray CR would hide all following fields
    // here and not in other servers.
    while position < head.count - 2 {
      guard lines.count < HTTPLimits.fieldCount else {
        throw HTTPError(status: 431, reason: "A head may have at most \(HTTPLimits.fieldCount) fields.")
      }
      lines.append(try Self.line(of: head.span, at: &position))
    }
    self.head = head
    self.lines = lines
  }

  private static func line(of head: Span<UInt8>, at position: inout Int) throws(HTTPError) -> Line {
    let name = position
    while HTTPByte.isToken(head[position]) { position += 1 }
    guard position > name, head[position] == UInt8(ascii: ":") else {
      throw .malformed("A field line must be a name, a colon right behind it and a value, on one line.")
    }
    let nameEnd = position
    position += 1
    while HTTPByte.isBlank(head[position]) { position += 1 }
    let value = position
    while HTTPByte.isFieldContent(head[position]) { position += 1 }
    guard head[position] == HTTPByte.carriageReturn, head[position + 1] == HTTPByte.lineFeed else {
      throw .malformed("A field value must not hold a control character.")
    }
    var valueEnd = position
    while valueEnd > value, HTTPByte.isBlank(head[valueEnd - 1]) { valueEnd -= 1 }
    position += 2
    return Line(name: UInt16(name)..<UInt16(nameEnd), value: UInt16(value)..<UInt16(valueEnd))
  }

  /// The length of a name, to tell names apart without comparing bytes.
  func nameLength(at index: Int) -> Int { lines[index].name.count }

  /// Whether a field has that name, case-insensitively.
  func has(_ name: String, at index: Int) -> Bool { equals(name, lines[index].name) }

  /// Whether a field has that value, case-insensitively.
  func hasValue(_ word: String, at index: Int) -> Bool { equals(word, lines[index].value) }

  /// The bytes of a field's value.
  func value(at index: Int) -> ArraySlice<UInt8> {
    head[Int(lines[index].value.lowerBound)..<Int(lines[index].value.upperBound)]
  }

  private func equals(_ word: String, _ range: Range<UInt16>) -> Bool {
    let bytes = word.utf8
    guard bytes.count == range.count else { return false }
    var position = Int(range.lowerBound)
    for byte in bytes {
      guard HTTPByte.lowercased(byte) == HTTPByte.lowercased(head[position]) else { return false }
      position += 1
    }
    return true
  }

  private func text(_ range: Range<UInt16>) -> String {
    String(decoding: head[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }
}

extension HTTPFields: Equatable {
  /// Whether names and values are equal and in the same order, independent of their positions.
  package static func == (one: HTTPFields, other: HTTPFields) -> Bool { one.list == other.list }
}
