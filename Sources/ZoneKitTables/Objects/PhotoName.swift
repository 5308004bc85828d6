import ZoneKitRecords

/// The name of a photo on a device and in the path of its object: the first 32 hexadecimal digits of the SHA-256 hash of
/// its bytes. So another photo has another name, and a name shows whether bytes are those of the photo.
package struct PhotoName: Hashable, Comparable, Sendable {
  /// The number of digits.
  private static let length = 32
  /// The ending of the last segment of an object's path, for pictures of every format.
  package static let ending = ".jpg"

  /// The digits, in lower case.
  package let text: String

  /// The name that those digits or a longer hash begin with; nil if they are not at least 32 hexadecimal digits.
  package init?(hash: some StringProtocol) {
    let digits = hash.utf8.prefix(Self.length)
    guard digits.count == Self.length, digits.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else { return nil }
    text = hash.prefix(Self.length).lowercased()
  }

  /// The name in the path of an object of that account; nil for any other text, such as an address of another service.
  package init?(path: String, of account: UUID) {
    guard path.hasSuffix(Self.ending), let place = ObjectPath(path), place.account == account,
      let last = ObjectPath.segments(of: path).last, last.utf8.count == Self.length + Self.ending.utf8.count
    else { return nil }
    self.init(hash: last)
  }

  /// Orders names by their digits.
  package static func < (first: PhotoName, second: PhotoName) -> Bool { Name(first.text) < Name(second.text) }
}
