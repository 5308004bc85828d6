extension String {
  /// The longest text of an error, in bytes of UTF-8.
  private static let errorTextLimit = 1_000
  /// How much of a longer one is kept.
  private static let errorTextKept = 900

  /// The text as it is written into an error. Errors repeat what was wrong in a request, which may be as long as the request:
  /// of a long text only the beginning is written.
  package var errorText: String {
    guard utf8.count > Self.errorTextLimit else { return self }
    var end = utf8.index(startIndex, offsetBy: Self.errorTextKept)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return "\(self[..<end])… (\(utf8.count) bytes)"
  }
}
