/// Constants.
extension SchemaReader {
  /// A constant.
  mutating func constant(_ node: TreeNode) -> SQLConstant {
    allow(["ival", "fval", "sval", "boolval", "isnull", "bsval"], in: node)
    if node.flag("isnull") { return .null }
    if node.has("ival") { return .integer(integer(node)) }
    if node.has("sval") { return .text(node.node("sval", as: "String").text("sval")) }
    if node.has("boolval") { return .boolean(node.node("boolval", as: "Boolean").flag("boolval")) }
    if node.has("fval") {
      let digits = node.node("fval", as: "Float").text("fval")
      return Int64(digits).map { .integer($0) } ?? .number(digits)
    }
    refuse("a string of bits is not supported: write a text, or a number")
    return .null
  }

  /// The integer of a constant.
  ///
  /// libpg_query 15 leaves out integers below zero as if they were zero. Such a constant begins at its sign, so the text says
  /// what it is.
  mutating func integer(_ node: TreeNode) -> Int64 {
    let value = node.node("ival", as: "Integer").number("ival")
    guard value == 0, let start = node.location else { return value }
    let bytes = source.utf8.span
    var isNegative = false
    var place = bytes.firstWord(from: start)
    while place < bytes.count, bytes[place] == UInt8(ascii: "-") || bytes[place] == UInt8(ascii: "(") {
      if bytes[place] == UInt8(ascii: "-") { isNegative.toggle() }
      place = bytes.firstWord(from: place + 1)
    }
    var digits: Int64 = 0
    while place < bytes.count, case let digit = bytes[place] &- UInt8(ascii: "0"), digit < 10, digits < 1 << 40 {
      digits = digits * 10 + Int64(digit)
      place += 1
    }
    return isNegative ? -digits : digits
  }
}
