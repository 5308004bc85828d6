import ZoneKitRecords

/// Writes the items of one document as JSON from their canonical text, and sums up their amounts.
struct ItemWriter {
  /// The sums of the items so far that were not removed.
  private(set) var sums: [Int64]
  private let isComplete: Bool
  /// The text of the item, its values, and the ID of the one before. They are kept to spare allocations.
  private var text: [UInt8] = []
  private var values: [Range<Int>?] = []
  private var id: [UInt8] = []

  /// A writer of complete items, in which null stands for members that are absent, or of such as clients send. `sums` is the
  /// number of amounts.
  init(isComplete: Bool, sums: Int) {
    self.isComplete = isComplete
    self.sums = Array(repeating: 0, count: sums)
  }

  /// Appends the item in the string with the quote at that place of a list. Returns the place behind the string; nil if there
  /// is no item, or its ID does not come after that of the item before.
  mutating func append(
    _ list: Span<UInt8>, from start: Int, as form: ItemForm, to output: inout [UInt8]
  ) -> Int? {
    text.removeAll(keepingCapacity: true)
    guard let end = text.appendUnescaped(list, from: start) else { return nil }
    let first = output.count
    if appendItem(form, to: &output) { return end }
    // Another program may have written the text in another way.
    guard let canonical = (try? JSON(parsing: text))?.bytes(.canonical), canonical != text else { return nil }
    output.removeSubrange(first...)
    text = canonical
    return appendItem(form, to: &output) ? end : nil
  }

  private mutating func appendItem(_ form: ItemForm, to output: inout [UInt8]) -> Bool {
    if values.isEmpty { values = Array(repeating: nil, count: form.count) }
    for place in values.indices { values[place] = nil }
    var walk = ObjectWalk(0..<text.count, form.layout)
    do throws(StoreError) {
      while let entry = try walk.next(in: text.span) { values[entry.place] = entry.value }
    } catch {
      return false
    }
    guard let name = nextID(form.id), let created = time(form.createdAt), let updated = time(form.updatedAt) else {
      return false
    }
    output.append(literal: "{\"_id\":\"")
    output.append(copying: text.span.extracting(name))
    output.append(UInt8(ascii: "\""))
    guard appendMembers(form, to: &output) else { return false }
    output.append(literal: ",\"createdAt\":")
    output.append(time: created)
    output.append(literal: ",\"updatedAt\":")
    output.append(time: updated)
    let isRemoved = values[form.deleted] != nil
    if isComplete || isRemoved {
      output.append(literal: ",\"deletedAt\":")
      if isRemoved { output.append(time: updated) } else { output.append(literal: "null") }
    }
    if let extra = values[form.extra] {
      guard output.append(extra: text.span.extracting(extra)) else { return false }
    }
    output.append(UInt8(ascii: "}"))
    id.removeAll(keepingCapacity: true)
    id.append(contentsOf: text[name])
    if !isRemoved { addAmounts(form.amounts) }
    return true
  }

  /// The range of the item's ID; nil if it is none, or does not come after the one before.
  private func nextID(_ place: Int) -> Range<Int>? {
    guard let range = values[place], let plain = text.span.extracting(range).plainString else { return nil }
    let name = range.lowerBound + plain.lowerBound..<range.lowerBound + plain.upperBound
    guard DocumentID.isValid(text.span.extracting(name)),
      id.isEmpty || id.span.comesBefore(text.span.extracting(name))
    else {
      return nil
    }
    return name
  }

  private func time(_ place: Int) -> WallTime? {
    guard let range = values[place], let time = Int64(canonical: text.span.extracting(range)) else { return nil }
    let found = WallTime(milliseconds: time)
    return WallTime.isOfDocument(found) ? found : nil
  }

  private func appendMembers(_ form: ItemForm, to output: inout [UInt8]) -> Bool {
    for place in form.members.indices {
      if let value = values[place] {
        form.servedLayout.appendBeginning(place + 1, to: &output)
        guard output.append(stored: text.span.extracting(value), of: form.members[place]) else { return false }
      } else if !form.members[place].canLack {
        return false
      } else if isComplete {
        form.servedLayout.appendBeginning(place + 1, to: &output)
        output.append(absent: form.members[place])
      }
    }
    return true
  }

  private mutating func addAmounts(_ places: [Int]) {
    for (index, place) in places.enumerated() {
      guard let range = values[place], let amount = Int64(canonical: text.span.extracting(range)) else { continue }
      let (sum, isTooLarge) = sums[index].addingReportingOverflow(amount)
      sums[index] = isTooLarge ? .max : sum
    }
  }
}
