/// The decoded items of a query, in order: `a=1&b` is a with "1" and b with "".
package struct HTTPQuery: Equatable, Sendable {
  /// The items, with all values of a repeated name.
  package let items: [HTTPField]

  /// Parses a query without its "?". Empty items are skipped. Throws 400 if an item is wrongly encoded.
  package init(parsing query: String, plusSigns: HTTPPercent.PlusSigns = .plusSigns) throws(HTTPError) {
    var items: [HTTPField] = []
    for item in query.utf8.split(separator: UInt8(ascii: "&")) {
      let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
      let value = end == item.endIndex ? item[end...] : item[item.index(after: end)...]
      guard let name = HTTPPercent.decode(item[..<end], plusSigns: plusSigns),
        let value = HTTPPercent.decode(value, plusSigns: plusSigns)
      else {
        throw .malformed("A query must be UTF-8 with '%' only before two hexadecimal digits.")
      }
      items.append(HTTPField(name, value))
    }
    self.items = items
  }

  /// The value of the first item with that name, case-sensitively; nil if there is none.
  package subscript(_ name: String) -> String? {
    items.first { $0.name == name }?.value
  }
}
