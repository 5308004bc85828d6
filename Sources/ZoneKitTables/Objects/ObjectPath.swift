import ZoneKitRecords

/// The place of an object: the account to which it belongs, and the segments after it.
package struct ObjectPath: Hashable, Sendable {
  /// The longest path in bytes.
  package static let limit = 1_024

  /// The account, which the first segment names.
  package let account: UUID
  /// The path within the bucket. Its first segment is the account in lower case.
  package let text: String

  /// Reads a path. Nil if a segment is empty, `.` or `..` or has a control character, if the path is too long, or if
  /// there is nothing after the account. The first segment has to be a UUID, in any form.
  package init?(_ text: String) {
    let segments = Self.segments(of: text)
    guard segments.count > 1, segments.dropFirst().allSatisfy({ Self.isName($0) }),
      let account = segments.first.flatMap({ UUID($0) })
    else { return nil }
    self.account = account
    self.text = ([account.text] + segments.dropFirst().map(String.init)).joined(separator: "/")
    guard self.text.utf8.count <= Self.limit else { return nil }
  }

  /// Whether a text can be a segment of a path.
  static func isName(_ segment: Substring) -> Bool {
    !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Whether an object can be uploaded to a path: it is possible, and all its characters are those that the vendor allows.
  package static func isUploadable(_ text: String) -> Bool {
    isPossible(text) && text.utf8.allSatisfy { isAllowed($0) }
  }

  /// Whether a byte is that of a character that the vendor allows in the names of objects: those that are safe in S3, and
  /// those that need care there.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: allowedMarks.contains(byte)
    }
  }

  private static let allowedMarks = Set("_/!-.*'() &$@=;:+,?".utf8)

  /// Whether a path is one whose form alone makes it possible for some caller.
  package static func isPossible(_ text: String) -> Bool {
    text.utf8.count <= limit
      && segments(of: text).allSatisfy { isName($0) }
  }

  /// The segments of a text. Its bytes are split: finding the ends of its characters takes ten times as long.
  package static func segments(of text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
  }
}
