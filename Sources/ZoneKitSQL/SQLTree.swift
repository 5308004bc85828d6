import Glibc
import ZoneKitCPgQuery
import ZoneKitRecords
import ZoneKitSchema
import ZoneKitThreads

/// PostgreSQL's own parser: the tree of a text of SQL statements.
///
/// The parser's stack check is switched off in the library, so a chain such as `1+1+1+…` takes as much stack as it is long:
/// 64 bytes for each byte of the text, as measured. A thread of its own has enough for the longest text, for callers
/// with any stack. It is one for the whole process, because the library takes a key from the process for each thread that
/// it first runs on, and a process has 1024 of them.
package enum SQLTree {
  /// The longest text, in bytes.
  package static let sizeLimit = 2 << 20
  /// The most characters of operators in a row. The scanner reads the rest of such a row again for each one, so a long row
  /// would take minutes.
  package static let operatorLimit = 256
  /// The deepest nesting of arrays and objects in a tree: about a hundred levels of expressions.
  package static let depthLimit = 320

  private static let stackSize = 1 << 20 + 128 * sizeLimit
  private static let thread = RoomyThread(stackSize: stackSize)

  /// The tree of the statements, as libpg_query writes it: an object with the member `stmts`. Numbers in its members
  /// `location`, `stmt_location` and `stmt_len` count bytes. Members that are zero, false or absent are left out.
  package static func parse(_ text: String) throws(SQLError) -> JSON {
    try check(text.utf8.span)
    guard let thread else { throw SQLError("there is no memory for a stack of \(stackSize) bytes", at: nil) }
    return try thread.run { Result { () throws(SQLError) in try parseHere(text) } }.get()
  }

  /// Refuses texts that the library cannot be given.
  private static func check(_ text: Span<UInt8>) throws(SQLError) {
    guard text.count <= sizeLimit else {
      throw SQLError("the text has \(text.count) bytes; at most \(sizeLimit) are read", at: nil)
    }
    var row = 0
    for offset in text.indices {
      let byte = text[offset]
      guard byte != 0 else { throw SQLError("a text cannot have a NUL byte", at: TextPlace(offset, in: text)) }
      row = isOperatorByte(byte) ? row + 1 : 0
      guard row <= operatorLimit else {
        throw SQLError(
          "at most \(operatorLimit) characters of operators are read in a row", at: TextPlace(offset, in: text))
      }
    }
  }

  /// Whether an operator can have that character (PostgreSQL, 4.1.3).
  private static func isOperatorByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "@"),
      UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "^"), UInt8(ascii: "&"), UInt8(ascii: "|"),
      UInt8(ascii: "`"), UInt8(ascii: "?"):
      true
    default: false
    }
  }

  /// Parses on the thread that calls it.
  private static func parseHere(_ text: String) throws(SQLError) -> JSON {
    zonekit_leave_out_warnings()
    let result = pg_query_parse(text)
    defer { pg_query_free_parse_result(result) }
    if let error = result.error {
      let scalars = Int(error.pointee.cursorpos) - 1
      let place = scalars < 0 ? nil : TextPlace(offset(ofScalar: scalars, in: text.utf8.span), in: text.utf8.span)
      throw SQLError(String(cString: error.pointee.message), at: place)
    }
    guard let tree = result.parse_tree else { throw SQLError("the parser returned nothing", at: nil) }
    let bytes = UnsafeRawBufferPointer(start: tree, count: strlen(tree)).bindMemory(to: UInt8.self)
    do {
      return try JSON(parsing: bytes.span, depthLimit: depthLimit)
    } catch {
      // The parser's text is well-formed, so only its depth can be wrong.
      let place = location(from: tree + error.offset).map { TextPlace($0, in: text.utf8.span) }
      throw SQLError("the statement nests too deeply", at: place)
    }
  }

  /// The offset of the scalar with that number; the text's end if it has fewer.
  private static func offset(ofScalar number: Int, in text: Span<UInt8>) -> Int {
    var scalars = -1
    for offset in text.indices {
      if text[offset] & 0xC0 != 0x80 { scalars += 1 }
      if scalars == number { return offset }
    }
    return text.count
  }

  /// The first location that a tree's text states from a place on; nil if there is none. A quote within a string is escaped,
  /// so no string looks alike.
  private static func location(from place: UnsafePointer<CChar>) -> Int? {
    let key = "\"location\":"
    guard let found = strstr(place, key) else { return nil }
    return strtol(found + key.utf8.count, nil, 10)
  }
}
