/// Finds the parts of a JSON document in its text, for errors.
extension Span<UInt8> {
  /// The offset of a value of the document. `path` has the index of a member or an element for each level. With `isKey` it is
  /// the offset of the member's name. The bytes have to be those of a document that has such a part.
  package func offset(of path: [Int], isKey: Bool = false) -> Int {
    var place = skippingSpace(from: 0)
    for (depth, index) in path.enumerated() {
      let isMember = self[place] == UInt8(ascii: "{")
      place = skippingSpace(from: place + 1)
      for _ in 0..<index { place = skippingSpace(from: (endOfValue(from: place) ?? count) + 1) }
      guard isMember, !isKey || depth < path.count - 1 else { continue }
      let colon = skippingSpace(from: endOfString(from: place) ?? count)
      place = skippingSpace(from: colon + 1)
    }
    return place
  }

  private func skippingSpace(from start: Int) -> Int {
    var place = start
    while place < count, [0x20, 0x09, 0x0A, 0x0D].contains(self[place]) { place += 1 }
    return place
  }
}
