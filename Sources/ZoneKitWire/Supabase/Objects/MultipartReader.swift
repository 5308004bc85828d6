import ZoneKitRecords

/// Reads a form of the type `multipart/form-data` (RFC 7578; RFC 2046, 5.1.1). It is total: any bytes are read as some
/// parts or as none.
struct MultipartReader {
  /// A part of a form.
  struct Part: Equatable {
    /// The name of the form's field; nil if the part has none.
    var name: String?
    /// The name of the file; nil if the part is no file.
    var fileName: String?
    /// The media type, with parameters; nil if the part does not say.
    var contentType: String?
    /// The bytes.
    var body: ArraySlice<UInt8>
  }

  /// The most parts that are read.
  static let partLimit = 100
  /// The longest boundary (RFC 2046, 5.1.1).
  private static let boundaryLimit = 70
  private static let lineEnd = Array("\r\n".utf8)

  private let bytes: [UInt8]
  private let boundary: [UInt8]

  /// A form with that boundary.
  init(_ bytes: [UInt8], boundary: String) {
    self.bytes = bytes
    self.boundary = Array("--\(boundary)".utf8)
  }

  /// The boundary that a media type names, quoted or not; nil if it is not that of a form or names no boundary.
  static func boundary(of contentType: String) -> String? {
    let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.first?.trimmed.lowercased() == "multipart/form-data" else { return nil }
    guard let text = parameter("boundary", of: contentType), (1...boundaryLimit).contains(text.utf8.count) else {
      return nil
    }
    return text
  }

  /// The parts up to the end of the form. A form that is cut off has the parts that are whole. Nil if there is no
  /// boundary at all, or if there are too many parts.
  var parts: [Part]? {
    guard var position = find(boundary, from: 0, to: bytes.count) else { return nil }
    guard position == 0 || bytes[..<position].suffix(2).elementsEqual(Self.lineEnd) else { return nil }
    var parts: [Part] = []
    let delimiter = Self.lineEnd + boundary
    while true {
      position += boundary.count
      guard let start = lineEnd(from: position), !bytes[position..<start].starts(with: "--".utf8) else { return parts }
      // The line end before the next boundary belongs to it. The line of this boundary may end right there.
      guard let end = find(delimiter, from: start, to: bytes.count) else { return parts }
      guard parts.count < Self.partLimit else { return nil }
      if let part = part(in: (start + 2)..<max(start + 2, end)) { parts.append(part) }
      position = end + Self.lineEnd.count
    }
  }

  /// The part in that range; nil if its head has no end.
  private func part(in range: Range<Int>) -> Part? {
    var part = Part(body: [])
    var position = range.lowerBound
    while position < range.upperBound || position == range.lowerBound {
      guard let end = find(Self.lineEnd, from: position, to: min(bytes.count, range.upperBound + 2)) else { return nil }
      let line = String(decoding: bytes[position..<end], as: UTF8.self)
      position = end + 2
      guard !line.isEmpty else {
        part.body = bytes[min(position, range.upperBound)..<range.upperBound]
        return part
      }
      part.take(line)
    }
    return nil
  }

  private func lineEnd(from start: Int) -> Int? { find(Self.lineEnd, from: start, to: bytes.count) }

  /// The first place of bytes between two positions; nil if there is none.
  private func find(_ wanted: [UInt8], from start: Int, to end: Int) -> Int? {
    guard let first = wanted.first else { return nil }
    var position = start
    while position + wanted.count <= end {
      guard bytes[position] == first, bytes[position..<position + wanted.count].elementsEqual(wanted) else {
        position += 1
        continue
      }
      return position
    }
    return nil
  }

  /// Whether a part with that head is a file to be uploaded: it has a file name or is called `files`.
  static func isFile(headedBy head: ArraySlice<UInt8>) -> Bool {
    var part = Part(body: [])
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") { part.take(String(line)) }
    return part.fileName != nil || part.name == "files"
  }

  /// The value of a parameter in a header field, quoted or not; nil if there is none.
  fileprivate static func parameter(_ name: String, of field: String) -> String? {
    var rest = field.utf8[...]
    while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let key = Substring(rest[..<equals]).lowercased()
      rest = rest[rest.index(after: equals)...]
      let value = value(of: &rest)
      if key == name { return value }
    }
    return nil
  }

  /// Takes the value of a parameter: a quoted text, in which a backslash stands before a quote, or everything up to the
  /// next semicolon.
  private static func value(of rest: inout Substring.UTF8View) -> String {
    guard rest.first == UInt8(ascii: "\"") else {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      defer { rest = rest[end...] }
      return Substring(rest[..<end]).trimmed
    }
    rest = rest.dropFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.first, escaped == UInt8(ascii: "\"") || escaped == byte {
        value.append(escaped)
        rest = rest.dropFirst()
      } else {
        value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }
}

extension MultipartReader.Part {
  /// A line of the part's head was read.
  fileprivate mutating func take(_ line: String) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return }
    let value = line[line.utf8.index(after: colon)...].trimmed
    switch line[..<colon].lowercased() {
    case "content-disposition":
      name = MultipartReader.parameter("name", of: value)
      fileName = MultipartReader.parameter("filename", of: value)
    case "content-type": contentType = value
    default: break
    }
  }
}

extension StringProtocol {
  /// The text without blanks at both ends.
  fileprivate var trimmed: String {
    let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t")]
    let bytes = utf8.drop { blanks.contains($0) }
    return String(decoding: bytes.reversed().drop { blanks.contains($0) }.reversed(), as: UTF8.self)
  }
}
