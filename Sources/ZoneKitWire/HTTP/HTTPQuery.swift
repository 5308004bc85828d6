/// The items of a query, decoded, in order: `a=1&b` is a with "1" and b with "".
package struct HTTPQuery: Equatable, Sendable {
  /// The items; of a repeated name all.
  package let items: [HTTPField]

  /// Reads a query without its "?"; 400 where an item is badly encoded. Empty items are skipped.
  package init(parsing query: String) throws(HTTPError) {
    var items: [HTTPField] = []
    for item in query.utf8.split(separator: UInt8(ascii: "&")) {
      let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      let value = end == item.endIndex ? item[end...] : item[item.index(after: end)...]
      guard let name = HTTPPercent.decode(item[..<end]), let value = HTTPPercent.decode(value) else {
        throw .malformed("A query must be UTF-8 with '%' only before two hexadecimal digits.")
      }
      items.append(HTTPField(name, value))
    }
    self.items = items
  }

  /// The value of the first item of that name, in this case; nil where there is none.
  package subscript(_ name: String) -> String? {
    items.first { $0.name == name }?.value
  }
}
