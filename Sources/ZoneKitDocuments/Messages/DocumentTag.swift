import ZoneKitRecords

/// The version of a document in one data set: `<dataset>-<sequence>`. It is the only base of a change that is safe if the
/// server loses its data, because versions begin anew then.
package struct DocumentTag: Hashable, Sendable {
  /// The data set: the zone's incarnation minus its purges.
  package var dataset: UInt64
  /// The zone's sequence of the version's commit, at least 1.
  package var sequence: Int64

  /// The version with that sequence in a data set.
  package init(dataset: UInt64, sequence: Int64) {
    self.dataset = dataset
    self.sequence = sequence
  }

  /// The tag of that text: 16 hexadecimal digits in lower case, a hyphen and a number without leading zeros; nil for any
  /// other text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count > 17, bytes[16] == UInt8(ascii: "-"), bytes[17] != UInt8(ascii: "0") else { return nil }
    var dataset: UInt64 = 0
    for byte in bytes[..<16] {
      guard let digit = Hexadecimal.value(of: byte), !(UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) else {
        return nil
      }
      dataset = dataset << 4 | UInt64(digit)
    }
    let digits = bytes[17...]
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let sequence = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    self.init(dataset: dataset, sequence: sequence)
  }

  /// The text of the tag.
  package var text: String { "\(Hexadecimal.text(dataset))-\(sequence)" }

  /// Appends the text of the tag.
  package func append(to output: inout [UInt8]) {
    for shift in stride(from: 60, through: 0, by: -4) {
      output.append(Hexadecimal.digit(UInt8(truncatingIfNeeded: dataset >> UInt64(shift)) & 0xF, isUppercase: false))
    }
    output.append(UInt8(ascii: "-"))
    output.appendDecimal(sequence)
  }
}
