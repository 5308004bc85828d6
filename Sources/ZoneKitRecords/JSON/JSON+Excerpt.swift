extension JSON {
  /// The longest string that `excerpt` quotes as a whole, in bytes.
  private static let excerptLimit = 40

  /// The value for errors, as far as it is short: a string of at most 40 bytes in quotes, an integer or a Boolean as it
  /// was written; otherwise the kind of the value.
  package var excerpt: String {
    switch self {
    case .string(let text) where text.utf8.count <= Self.excerptLimit: "\"\(text)\""
    // A reader has rounded such a number, so its digits are not those of the document.
    case .number(let number) where number.magnitude >= 0x1p53: "a number beyond 2^53"
    case .integer, .number, .bool: text()
    case .verbatim(let value) where value.text.utf8.count <= Self.excerptLimit:
      value.string.map { "\"\($0)\"" } ?? value.text
    case .string, .verbatim, .null, .array, .object: kind
    }
  }
}
