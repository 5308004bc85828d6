import ZoneKitRecords

/// The ID of a document in its collection: 1 to 64 of the characters `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`.
package enum DocumentID {
  /// The most characters.
  static let lengthLimit = 64

  /// Whether a text is an ID.
  package static func isValid(_ text: String) -> Bool { isValid(text.utf8.span) }

  /// Whether the bytes are those of an ID.
  static func isValid(_ bytes: Span<UInt8>) -> Bool {
    guard (1...lengthLimit).contains(bytes.count) else { return false }
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        break
      default: return false
      }
    }
    return true
  }
}

/// A document by its collection and ID.
package struct DocumentName: Hashable, Sendable {
  /// The collection.
  package var collection: Name
  /// The ID within the collection.
  package var id: String

  /// The document with that ID.
  package init(_ collection: Name, _ id: String) {
    self.collection = collection
    self.id = id
  }

  /// The document of a record with that name: `<collection>.<ID>`, in the conflict journal only the ID; nil for any other
  /// name.
  package init?(recordName: Name, in feed: DocumentFeed) {
    switch feed {
    case .documents:
      guard let dot = recordName.text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
      self.init(
        Name(String(recordName.text[..<dot])), String(recordName.text[recordName.text.index(after: dot)...]))
      guard collection != .conflicts else { return nil }
    case .conflicts: self.init(.conflicts, recordName.text)
    }
    guard DocumentID.isValid(id) else { return nil }
  }

  /// The name of the document's record.
  package var recordName: Name { collection == .conflicts ? Name(id) : Name("\(collection).\(id)") }

  /// The feed of the document.
  package var feed: DocumentFeed { collection == .conflicts ? .conflicts : .documents }
}
