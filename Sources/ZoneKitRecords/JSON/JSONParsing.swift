extension JSON {
  /// Reads one whole document, as RFC 8259 has it and nothing looser: UTF-8 without a byte order mark, no trailing
  /// bytes, at most `depthLimit` nested containers. Any bytes give a value or an error.
  ///
  /// A number without fraction and exponent that fits Int64 is `.integer`; every other one is `.number`, `-0` too, and
  /// one beyond Double's range is an error.
  public init(parsing bytes: Span<UInt8>) throws(JSONError) {
    var scanner = JSONScanner()
    self = try scanner.document(in: bytes)
  }

  /// Reads one whole document; see `init(parsing:)` for bytes in a span.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes.span)
  }

  /// Reads one whole document; offsets in errors count from the start of the slice.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONError) {
    try self.init(parsing: bytes.span)
  }

  /// Reads one whole document; offsets in errors count bytes of UTF-8.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: text.utf8.span)
  }
}
