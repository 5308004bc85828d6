extension JSON {
  /// Parses one complete document exactly as in RFC 8259: UTF-8 without a byte order mark, no trailing bytes, and at
  /// most `depthLimit` nested containers.
  ///
  /// A number without fraction and exponent that fits Int64 is `.integer`. Any other is `.number`, also `-0`. A number
  /// beyond Double's range is an error.
  public init(parsing bytes: Span<UInt8>) throws(JSONError) {
    var scanner = JSONScanner()
    self = try scanner.document(in: bytes)
  }

  /// Parses one complete document like `init(parsing:)`, with another limit for nested containers. Each level takes some
  /// hundred bytes of the thread's stack.
  package init(parsing bytes: Span<UInt8>, depthLimit: Int) throws(JSONError) {
    var scanner = JSONScanner()
    scanner.depthLimit = depthLimit
    self = try scanner.document(in: bytes)
  }

  /// Parses one complete document like `init(parsing:)`, and keeps the text of each number and string that would be written in
  /// another way, so that it can be passed on unchanged. A number beyond Double's range is no error.
  public init(exactly bytes: Span<UInt8>) throws(JSONError) {
    var scanner = JSONScanner()
    scanner.isExact = true
    self = try scanner.document(in: bytes)
  }

  /// Parses one complete document; see `init(exactly:)` for a span.
  public init(exactly bytes: [UInt8]) throws(JSONError) {
    try self.init(exactly: bytes.span)
  }

  /// Parses one complete document; see `init(exactly:)` for a span.
  public init(exactly text: String) throws(JSONError) {
    try self.init(exactly: text.utf8.span)
  }

  /// Parses one complete document; see `init(parsing:)` for a span.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    try self.init(parsing: bytes.span)
  }

  /// Parses one complete document. Offsets in errors count from the start of the slice.
  public init(parsing bytes: ArraySlice<UInt8>) throws(JSONError) {
    try self.init(parsing: bytes.span)
  }

  /// Parses one complete document. Offsets in errors count UTF-8 bytes.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: text.utf8.span)
  }
}
