/// Tables as texts with values separated by commas (RFC 4180).
package enum CSVText {
  /// A value of a record.
  package struct Field: Hashable, Sendable {
    /// The value.
    package var text: String
    /// Whether it stands in quotes.
    package var isQuoted: Bool
    /// The offset of its first byte in the text.
    package var offset: Int

    /// A value.
    package init(_ text: String, isQuoted: Bool = false, at offset: Int = 0) {
      self.text = text
      self.isQuoted = isQuoted
      self.offset = offset
    }
  }

  /// The records of a text, in their order; empty lines are left out. A byte order mark before the first one is no part of
  /// it. Each record has as many values as the first one, and there are at most `limit`.
  package static func records(
    _ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), limit: Int = .max
  ) throws(CSVError) -> [[Field]] {
    var reader = Reader(bytes, separator)
    var records: [[Field]] = []
    while true {
      let start = reader.start()
      guard let record = try reader.record() else { return records }
      guard records.count < limit else { throw reader.error("more than \(limit) records") }
      if let first = records.first, record.count != first.count {
        throw reader.error(
          "\(record.count) values, where the first record has \(first.count)", line: start.line, at: start.offset)
      }
      records.append(record)
    }
  }

  /// Appends a value, in quotes if it needs them in a text with that separator.
  package static func append(_ text: String, separator: UInt8 = UInt8(ascii: ","), to bytes: inout [UInt8]) {
    let marks = [separator] + Array("\"\n\r".utf8)
    guard text.isEmpty || text.utf8.contains(where: marks.contains) else {
      bytes += text.utf8
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private struct Reader {
    private let bytes: [UInt8]
    private let separator: UInt8
    private var position: Int
    /// The number of the line that is read, from 1 on.
    private(set) var line = 1

    init(_ bytes: [UInt8], _ separator: UInt8) {
      (self.bytes, self.separator) = (bytes, separator)
      position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The line and the offset at which the next record begins.
    mutating func start() -> (line: Int, offset: Int) {
      while skipLineEnd() {}
      return (line, position)
    }

    /// The error that the reader met a problem: where it is, or at another place.
    func error(_ problem: String, line: Int? = nil, at offset: Int? = nil) -> CSVError {
      CSVError(problem, line: line ?? self.line, at: offset ?? position)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The next record; nil at the end.
    mutating func record() throws(CSVError) -> [Field]? {
      guard next != nil else { return nil }
      var fields = [try field()]
      while next == separator {
        position += 1
        fields.append(try field())
      }
      guard next == nil || skipLineEnd() else { throw error("text behind a quoted value") }
      return fields
    }

    private mutating func skipLineEnd() -> Bool {
      let start = position
      if next == UInt8(ascii: "\r") { position += 1 }
      if next == UInt8(ascii: "\n") { position += 1 }
      guard position > start else { return false }
      line += 1
      return true
    }

    private mutating func field() throws(CSVError) -> Field {
      guard next == UInt8(ascii: "\"") else {
        let start = position
        while let byte = next, byte != separator, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
          position += 1
        }
        return Field(try text(bytes[start..<position]), at: start)
      }
      let (first, start) = (line, position)
      var value: [UInt8] = []
      position += 1
      while let byte = next {
        position += 1
        if byte == UInt8(ascii: "\"") {
          guard next == UInt8(ascii: "\"") else { return Field(try text(value[...]), isQuoted: true, at: start) }
          position += 1
        }
        if byte == UInt8(ascii: "\n") { line += 1 }
        value.append(byte)
      }
      throw error("a quote that nothing closes", line: first, at: start)
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(CSVError) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw error("no UTF-8") }
      return text
    }
  }
}

/// Why a text is no table.
package struct CSVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package var problem: String
  /// The line where it is, from 1 on.
  package var line: Int
  /// The offset of the byte where it is.
  package var offset: Int

  /// A problem in that line, at that byte.
  package init(_ problem: String, line: Int, at offset: Int) {
    self.problem = problem
    self.line = line
    self.offset = offset
  }

  /// The line and the problem.
  package var description: String { "line \(line): \(problem)" }
}
