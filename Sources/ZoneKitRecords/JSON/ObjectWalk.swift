/// Walks over the text of an object without decoding it: over the fields of a record, `{"name":{"type":"STRING","value":…},…}`,
/// or over plain members, `{"name":…,…}`. The text has no white space. Rows and documents are read and answered with it,
/// because decoding each field was most of the cost of a read.
package struct ObjectWalk {
  /// A member of the layout.
  package struct Entry {
    /// The place that the layout gives to it.
    package var place: Int
    /// The range of the JSON text of the value.
    package var value: Range<Int>
    /// The range of the type, without quotes, if it is another one than the layout has.
    package var otherType: Range<Int>?
  }

  private static let fieldStart = Array(":{".utf8)
  private static let encrypted = Array("\"isEncrypted\":true,".utf8)
  private static let typeKey = Array("\"type\":".utf8)
  private static let valueKey = Array(",\"value\":".utf8)

  private let layout: ObjectLayout
  /// The first member of the layout that was not passed yet.
  private var candidate = 0
  private var position: Int
  private let end: Int
  /// Whether members were skipped that the layout does not have.
  package private(set) var hasSkipped = false

  /// Whether the walk has passed the end of the object.
  package private(set) var isAtEnd = false

  /// A walk over that range of a text.
  package init(_ range: Range<Int>, _ layout: ObjectLayout) {
    self.layout = layout
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next member that the layout has; nil at the end. Throws if the text is not written like that.
  package mutating func next(in bytes: Span<UInt8>) throws(StoreError) -> Entry? {
    while try beginsMember(in: bytes) {
      var otherType: Range<Int>?
      let place =
        if let place = expectedMember(in: bytes) { place } else { try anyMember(in: bytes, &otherType) }
      let start = position
      try skipValue(in: bytes)
      let value = start..<position
      if layout.isOfFields { try skip(UInt8(ascii: "}"), in: bytes) }
      if let place { return Entry(place: place, value: value, otherType: otherType) }
      hasSkipped = true
    }
    return nil
  }

  /// Skips what stands before a member. False at the end.
  private mutating func beginsMember(in bytes: Span<UInt8>) throws(StoreError) -> Bool {
    guard position < end else { throw damaged }
    let mark = bytes[position]
    position += 1
    if mark == UInt8(ascii: "}"), position == end {
      isAtEnd = true
      return false
    }
    guard mark == UInt8(ascii: "{") || mark == UInt8(ascii: ","), position < end else { throw damaged }
    guard mark == UInt8(ascii: "{"), bytes[position] == UInt8(ascii: "}") else { return true }
    position += 1
    isAtEnd = position == end
    return false
  }

  /// Skips the beginning of a member as the layout has it. Members that the object does not have are passed over. Returns
  /// the member's place; nil if the member has another beginning.
  private mutating func expectedMember(in bytes: Span<UInt8>) -> Int? {
    let layout = layout
    let rest = bytes.extracting(position..<end)
    while candidate < layout.members.count {
      let member = layout.members[candidate]
      let beginning = layout.text.span.extracting(member.beginning)
      let common = beginning.commonBeginning(with: rest)
      if common == beginning.count {
        candidate += 1
        position += common
        return member.place
      }
      guard layout.isAscending, common < rest.count, beginning[common] < rest[common] else { return nil }
      candidate += 1
    }
    return nil
  }

  /// Skips the beginning of a member. Returns its place, and its type if it is another one than the layout has; nil if the
  /// layout does not have the member.
  private mutating func anyMember(
    in bytes: Span<UInt8>, _ otherType: inout Range<Int>?
  ) throws(StoreError) -> Int? {
    let name = try string(in: bytes)
    var type = position..<position
    if layout.isOfFields {
      try skip(Self.fieldStart, in: bytes)
      if isNext(Self.encrypted, in: bytes) { position += Self.encrypted.count }
      try skip(Self.typeKey, in: bytes)
      type = try string(in: bytes)
      try skip(Self.valueKey, in: bytes)
    } else {
      try skip(UInt8(ascii: ":"), in: bytes)
    }
    let text = layout.text.span
    for member in layout.members where text.extracting(member.name).isEqual(to: bytes.extracting(name)) {
      let isOfType = text.extracting(member.type).isEqual(to: bytes.extracting(type))
      if layout.isOfFields, !isOfType { otherType = type }
      return member.place
    }
    return nil
  }

  /// The text of a string between its quotes.
  private mutating func string(in bytes: Span<UInt8>) throws(StoreError) -> Range<Int> {
    guard position < end, bytes[position] == UInt8(ascii: "\""),
      let place = bytes.extracting(0..<end).endOfString(from: position)
    else { throw damaged }
    let start = position + 1
    position = place
    return start..<place - 1
  }

  /// Skips a value.
  private mutating func skipValue(in bytes: Span<UInt8>) throws(StoreError) {
    guard let place = bytes.extracting(0..<end).endOfValue(from: position) else { throw damaged }
    position = place
  }

  private func isNext(_ text: [UInt8], in bytes: Span<UInt8>) -> Bool {
    guard end - position >= text.count else { return false }
    for index in text.indices where bytes[position + index] != text[index] { return false }
    return true
  }

  private mutating func skip(_ text: [UInt8], in bytes: Span<UInt8>) throws(StoreError) {
    guard isNext(text, in: bytes) else { throw damaged }
    position += text.count
  }

  private mutating func skip(_ byte: UInt8, in bytes: Span<UInt8>) throws(StoreError) {
    guard position < end, bytes[position] == byte else { throw damaged }
    position += 1
  }

  private var damaged: StoreError {
    StoreError(.corrupt, "is no canonical text at byte \(position)", place: "field text")
  }
}
