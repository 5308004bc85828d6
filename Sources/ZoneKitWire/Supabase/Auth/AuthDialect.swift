/// The two forms of errors under `/auth/v1`. A client asks for the newer one with a header field, and finds no code in an
/// answer without that field.
package enum AuthDialect: Hashable, Sendable {
  /// `{"code":<status>,"error_code":"<word>","msg"}`
  case original
  /// `{"code":"<word>","message"}`
  case dated

  /// The name of the header field.
  package static let fieldName = "X-Supabase-Api-Version"
  /// The first version with the newer form.
  static let version = "2024-01-01"

  /// The form that a request asks for.
  package init(of request: HTTPRequest) {
    // Dates of this form are in the order of their texts. Another text asks for no version.
    let asked = Array((request.fields[Self.fieldName] ?? "").utf8)
    let isDate =
      asked.count == Self.version.utf8.count
      && zip(asked, Self.version.utf8).allSatisfy { byte, pattern in
        pattern == UInt8(ascii: "-") ? byte == pattern : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    self = isDate && !asked.lexicographicallyPrecedes(Self.version.utf8) ? .dated : .original
  }
}
