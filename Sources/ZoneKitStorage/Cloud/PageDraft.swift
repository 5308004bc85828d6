import ZoneKitRecords

/// A page that is being filled, in one block of memory.
struct PageDraft {
  /// The bytes to which the ranges in the rows refer.
  private(set) var bytes: [UInt8] = []
  /// The rows so far.
  var rows: [RecordPage.Row] = []
  /// The authors to which the rows refer by index.
  var authors: [Author] = []
  /// The numbers of the authors in the zone file, in the same order.
  var authorNumbers: [Int64] = []

  /// Copies text into the page.
  mutating func append(_ text: UnsafeRawBufferPointer) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return start..<bytes.count
  }

  /// Writes a change tag, which is the sequence in base 36 (as in `ChangeTag`), without making a string.
  mutating func appendTag(_ sequence: Int64) -> Range<Int> {
    let start = bytes.count
    var scale: Int64 = 1
    while sequence / scale >= 36 { scale *= 36 }
    while scale > 0 {
      let digit = UInt8(sequence / scale % 36)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      scale /= 36
    }
    return start..<bytes.count
  }
}
