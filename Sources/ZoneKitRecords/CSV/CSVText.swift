/// Tables as texts with values separated by commas (RFC 4180).
package enum CSVText {
  /// A value of a record.
  package struct Field: Hashable, Sendable {
    /// The value.
    package var text: String
    /// Whether it stands in quotes.
    package var isQuoted: Bool

    /// A value.
    package init(_ text: String, isQuoted: Bool = false) {
      self.text = text
      self.isQuoted = isQuoted
    }
  }

  /// The records of a text, in their order; empty lines are left out. A byte order mark before the first one is no part of
  /// it. Each record has as many values as the first one, and there are at most `limit`.
  package static func records(
    _ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ","), limit: Int = .max
  ) throws(CSVError) -> [[Field]] {
    var reader = Reader(bytes, separator)
    var records: [[Field]] = []
    while let record = try reader.record() {
      guard records.count < limit else { throw CSVError("more than \(limit) records", line: reader.line) }
      if let first = records.first, record.count != first.count {
        throw CSVError("\(record.count) values, where the first record has \(first.count)", line: reader.line)
      }
      records.append(record)
    }
    return records
  }

  /// Appends a value, in quotes if it needs them.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    let marks = #"",\#n\#r"#.utf8
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

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The next record; nil at the end.
    mutating func record() throws(CSVError) -> [Field]? {
      while skipLineEnd() {}
      guard next != nil else { return nil }
      var fields = [try field()]
      while next == separator {
        position += 1
        fields.append(try field())
      }
      guard next == nil || skipLineEnd() else { throw CSVError("text behind a quoted value", line: line) }
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
        return Field(try text(bytes[start..<position]))
      }
      let first = line
      var value: [UInt8] = []
      position += 1
      while let byte = next {
        position += 1
        if byte == UInt8(ascii: "\"") {
          guard next == UInt8(ascii: "\"") else { return Field(try text(value[...]), isQuoted: true) }
          position += 1
        }
        if byte == UInt8(ascii: "\n") { line += 1 }
        value.append(byte)
      }
      throw CSVError("a quote that nothing closes", line: first)
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(CSVError) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw CSVError("no UTF-8", line: line) }
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

  /// A problem in that line.
  package init(_ problem: String, line: Int) {
    self.problem = problem
    self.line = line
  }

  /// The line and the problem.
  package var description: String { "line \(line): \(problem)" }
}
