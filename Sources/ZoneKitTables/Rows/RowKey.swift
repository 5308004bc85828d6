import ZoneKitRecords

/// The key of a row as a text: the UUIDs of its key columns in lower case, with a point between two.
package struct RowKey: Hashable, Comparable, Sendable {
  /// The parts of the key, one or two.
  package let parts: [UUID]

  /// The key with those parts.
  package init(_ parts: [UUID]) { self.parts = parts }

  /// The key of a row; nil if a key column has no value.
  package init?(_ row: Row, of table: Table) {
    var parts: [UUID] = []
    for column in table.key {
      guard let id = row[column, table].uuid else { return nil }
      parts.append(id)
    }
    self.parts = parts
  }

  /// Reads the text of a key; nil for any other text.
  package init?(text: some StringProtocol) {
    var parts: [UUID] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let id = UUID(part), id.text == part else { return nil }
      parts.append(id)
    }
    self.parts = parts
  }

  /// The text, such as `7c0a…` or `7c0a….91d4…`.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name of the row's record: `<table>/<key>`.
  package func recordName(in table: Name) -> Name {
    var bytes = Array(table.text.utf8)
    bytes.append(UInt8(ascii: "/"))
    append(to: &bytes)
    return Name(String(decoding: bytes, as: UTF8.self))
  }

  private func append(to bytes: inout [UInt8]) {
    for (index, part) in parts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ".")) }
      bytes.append(part)
    }
  }

  /// The key in errors: `(id)=(7c0a…)`.
  package func words(in table: Table) -> String {
    let columns = table.key.map(\.text).joined(separator: ", ")
    return "(\(columns))=(\(parts.map(\.text).joined(separator: ", ")))"
  }

  /// Orders keys by their parts.
  package static func < (first: RowKey, second: RowKey) -> Bool {
    first.parts.lexicographicallyPrecedes(second.parts)
  }
}
