import ZoneKitRecords

/// A document in the canonical text of its fields. Its members are checked and written as JSON from there, without decoding
/// the fields.
struct DocumentText {
  /// The time of the last edit; nil for an entry of the conflict journal.
  let editedAt: WallTime?
  /// Whether the user deleted the document.
  let isDeleted: Bool
  private let bytes: [UInt8]
  /// The range of the value of each member.
  private let values: [Range<Int>?]

  /// The document with that content; nil if a field has another type, or is not a valid time or deletion
  /// mark. The other members are checked when they are written.
  init?(_ content: EncodedFields, _ form: DocumentForm) {
    let bytes = content.utf8
    var values: [Range<Int>?] = Array(repeating: nil, count: form.count)
    var walk = ObjectWalk(0..<bytes.count, form.layout)
    do throws(StoreError) {
      while let entry = try walk.next(in: bytes.span) {
        if let type = entry.otherType {
          // An empty list has a type of its own.
          let isEmpty = bytes.span.extracting(type).isEqual(to: FieldType.unknownList.rawValue)
          let isOfItems = entry.place < form.stamp && form.members[entry.place].items != nil
          guard (isOfItems && isEmpty) || form.ignores(entry.place) else { return nil }
        }
        values[entry.place] = entry.value
      }
    } catch {
      return nil
    }
    isDeleted = values[form.deleted] != nil
    if form.isEdited {
      guard let stamp = values[form.stamp], let time = Int64(canonical: bytes.span.extracting(stamp)),
        WallTime.isOfDocument(WallTime(milliseconds: time)),
        values[form.deleted].map({ bytes.span.extracting($0).isEqual(to: "1") }) ?? true
      else { return nil }
      editedAt = WallTime(milliseconds: time)
    } else {
      editedAt = nil
    }
    (self.bytes, self.values) = (bytes, values)
  }

  /// Appends the members behind others, with a comma before each. With `isComplete` null stands for members that are absent,
  /// and sums follow items. Returns false if the document has a value that it cannot have; what was appended is then of no
  /// use.
  func append(_ form: DocumentForm, isComplete: Bool, to output: inout [UInt8]) -> Bool {
    if form.sums > 0 {
      guard appendSums(form, to: &output) else { return false }
    }
    for place in form.sums..<form.members.count {
      guard let value = values[place] else {
        let member = form.members[place]
        guard member.canLack else { return false }
        guard isComplete else { continue }
        form.appendBeginning(place, to: &output)
        output.append(absent: member)
        continue
      }
      form.appendBeginning(place, to: &output)
      if let items = form.items, form.members[place].items != nil {
        guard append(value, items, isComplete: isComplete, to: &output) else { return false }
      } else {
        guard output.append(stored: bytes.span.extracting(value), of: form.members[place]) else { return false }
      }
    }
    guard form.sums == 0, let extra = values[form.extra] else { return true }
    return output.append(extra: bytes.span.extracting(extra))
  }

  /// Appends the sums of a day as one object.
  private func appendSums(_ form: DocumentForm, to output: inout [UInt8]) -> Bool {
    output.append(literal: ",\"totals\":{")
    for place in 0..<form.sums {
      guard let value = values[place] else { return false }
      form.appendBeginning(place, isFirst: place == 0, to: &output)
      guard output.append(stored: bytes.span.extracting(value), of: form.members[place]) else { return false }
    }
    output.append(UInt8(ascii: "}"))
    return true
  }

  // MARK: Items

  /// Appends the items of a list.
  private func append(
    _ list: Range<Int>, _ items: ItemForm, isComplete: Bool, to output: inout [UInt8]
  ) -> Bool {
    var writer = ItemWriter(isComplete: isComplete, sums: items.amounts.count)
    output.append(UInt8(ascii: "["))
    var position = list.lowerBound + 1
    while position < list.upperBound - 1 {
      if position > list.lowerBound + 1 {
        guard bytes[position] == UInt8(ascii: ",") else { return false }
        output.append(bytes[position])
        position += 1
      }
      guard
        let end = writer.append(bytes.span.extracting(0..<list.upperBound), from: position, as: items, to: &output)
      else { return false }
      position = end
    }
    output.append(UInt8(ascii: "]"))
    guard isComplete else { return true }
    output.append(literal: ",\"totals\":{")
    for (index, sum) in writer.sums.enumerated() {
      items.sumsLayout.appendBeginning(index, isFirst: index == 0, to: &output)
      output.appendDecimal(sum)
    }
    output.append(UInt8(ascii: "}"))
    return true
  }
}

extension [UInt8] {
  /// Appends the stored value of a member as JSON. Returns false if the member cannot have that value.
  mutating func append(stored text: Span<UInt8>, of member: DocumentMember) -> Bool {
    switch member.kind {
    case .time:
      guard let time = Int64(canonical: text).map(WallTime.init(milliseconds:)), WallTime.isOfDocument(time) else {
        return false
      }
      append(time: time)
      return true
    case .boolean:
      guard member.accepts(stored: text) else { return false }
      append(literal: text.isEqual(to: "1") ? "true" : "false")
      return true
    case .text, .day, .choice, .documentID, .integer, .number, .items:
      guard member.accepts(stored: text) else { return false }
      append(copying: text)
      return true
    }
  }

  /// Appends what stands for a member that a stored document or item lacks: the default, so that a member with one can be
  /// added to a schema, otherwise null.
  mutating func append(absent member: DocumentMember) {
    var text: [UInt8] = []
    guard let value = member.defaultValue, text.append(inItem: value), append(stored: text.span, of: member) else {
      return append(literal: "null")
    }
  }

  /// Appends the value of a member of an item as it is stored. Returns false, and appends nothing, if items have no such
  /// values.
  mutating func append(inItem value: FieldValue) -> Bool {
    switch value {
    case .string(let text): appendJSONString(text)
    case .int64(let number): appendDecimal(number)
    case .double(let number): appendJSONNumber(number)
    case .timestamp(let time): appendDecimal(time.milliseconds)
    default: return false
    }
    return true
  }

  /// Appends a time as a string.
  package mutating func append(time: WallTime) {
    append(UInt8(ascii: "\""))
    appendISO8601(time)
    append(literal: "Z\"")
  }

  /// Appends the members of an object whose text is stored as a string. Returns false if it is none.
  mutating func append(extra text: Span<UInt8>) -> Bool {
    guard let text = text.decodedString, let members = (try? JSON(exactly: text))?.object else { return false }
    for member in members {
      append(UInt8(ascii: ","))
      appendJSONString(member.key)
      append(UInt8(ascii: ":"))
      appendJSON(member.value)
    }
    return true
  }
}
