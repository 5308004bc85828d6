/// Finds the assets in canonical field text without parsing it. Nearly all texts have none.
package enum AssetText {
  /// The beginning of an asset up to its checksum. The member `fileChecksum` of a record's fields, where it comes first, is an
  /// object and no string.
  private static let beginning = Array("{\"fileChecksum\":\"".utf8)
  /// The place of the letter k in it. Other letters of it are more frequent in texts, so they stop a search more often.
  private static let letterPlace = 10

  /// The place behind the brace of the first asset from `start` on; nil if there is none.
  package static func next(in text: Span<UInt8>, from start: Int) -> Int? {
    var place = start + letterPlace
    while true {
      place = text.place(of: UInt8(ascii: "k"), from: place)
      guard place < text.count else { return nil }
      if begins(text, at: place - letterPlace) { return place - letterPlace + 1 }
      place += 1
    }
  }

  private static func begins(_ text: Span<UInt8>, at place: Int) -> Bool {
    // Most words with a k are told apart by the letter before it.
    guard text[place + letterPlace - 1] == UInt8(ascii: "c"), place + beginning.count <= text.count else {
      return false
    }
    return text.extracting(place..<place + beginning.count).isEqual(to: beginning.span)
  }

  /// The place of the checksum of the asset at a place that `next` returned.
  package static func checksum(in text: Span<UInt8>, at place: Int) -> Range<Int> {
    let start = place + beginning.count - 1
    return start..<text.place(of: UInt8(ascii: "\""), from: start)
  }

  /// The checksums of all assets in a text, in their order.
  package static func checksums(in text: Span<UInt8>) -> [String] {
    var found: [String] = []
    var place = 0
    while let next = next(in: text, from: place) {
      place = next
      if let checksum = String(utf8: text.extracting(checksum(in: text, at: place))) { found.append(checksum) }
    }
    return found
  }
}
