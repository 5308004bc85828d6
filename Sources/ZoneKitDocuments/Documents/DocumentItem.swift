import ZoneKitRecords

/// An item of a document. Items have IDs and merge one by one. A field has them as canonical JSON
/// objects: `_id`, `createdAt` and `updatedAt` in milliseconds, `deleted` 1 for a removed item, `extra`, and the members
/// of the schema.
package struct DocumentItem: Hashable, Sendable {
  /// When it was last edited, in milliseconds since 1970.
  package let updatedAt: Int64
  /// Whether it was removed. A removed item stays in the document, so that no other copy brings it back.
  package let isRemoved: Bool
  /// The canonical text.
  package let text: String
  /// The range of the ID in the text.
  private let name: Range<Int>
  /// The range of the member with the time of the edit in the text, with the comma before it.
  private let stamp: Range<Int>

  /// The item's ID, unique within its document.
  package var id: String { String(utf8: text.utf8.span.extracting(name)) ?? "" }

  /// The item with that canonical text; nil if the text is not that of an item. Members of the schema are not checked.
  package init?(text: String) {
    var members = Members()
    if text.utf8.span.isCanonicalFlatObject({ members.note($1, of: $0) }) {
      self.init(canonical: text, members)
    } else {
      guard let json = try? JSON(parsing: text) else { return nil }
      self.init(json)
    }
  }

  /// The item of a canonical object; nil if the object is none.
  package init?(_ json: JSON) {
    guard json.object != nil else { return nil }
    let text = json.text(.canonical)
    var members = Members()
    var walk = ObjectWalk(0..<text.utf8.count, Self.layout)
    do throws(StoreError) {
      while let entry = try walk.next(in: text.utf8.span) {
        members.note(entry.value, of: Self.names[entry.place].text.utf8.span)
      }
    } catch {
      return nil
    }
    self.init(canonical: text, members)
  }

  /// The item of that form whose values `append` appends: that of the member with a place, or nothing and false if the item
  /// does not have it. Nil if these are no values of an item.
  init?(_ form: ItemForm, append: (Int, inout [UInt8]) -> Bool) {
    var text: [UInt8] = []
    var members = Members()
    let isWritten = form.layout.appendObject(to: &text) { place, output in
      let start = output.count
      guard append(place, &output) else { return false }
      switch place {
      case form.id: members.id = start..<output.count
      case form.createdAt: members.createdAt = start..<output.count
      case form.updatedAt: members.updatedAt = start..<output.count
      case form.deleted: members.deleted = start..<output.count
      default: break
      }
      return true
    }
    guard isWritten else { return nil }
    self.init(canonical: String(decoding: text, as: UTF8.self), members)
  }

  /// The ranges of the members of all items in the text of one.
  private struct Members {
    var (id, createdAt, updatedAt, deleted): (Range<Int>?, Range<Int>?, Range<Int>?, Range<Int>?)

    /// The member with that key was read.
    mutating func note(_ value: Range<Int>, of key: Span<UInt8>) {
      switch key.count {
      case 3 where key.isEqual(to: "_id"): id = value
      case 7 where key.isEqual(to: "deleted"): deleted = value
      case 9 where key.isEqual(to: "createdAt"): createdAt = value
      case 9 where key.isEqual(to: "updatedAt"): updatedAt = value
      default: break
      }
    }
  }

  private static let names: [Name] = ["_id", "createdAt", .documentStamp, .deleted]
  private static let layout = ObjectLayout(members: names.enumerated().map { (name: $1, place: $0) })

  private init?(canonical text: String, _ members: Members) {
    let bytes = text.utf8.span
    guard let id = members.id, let plain = bytes.extracting(id).plainString,
      DocumentID.isValid(bytes.extracting(id).extracting(plain)),
      let created = members.createdAt, Int64(canonical: bytes.extracting(created)) != nil,
      let updated = members.updatedAt, let updatedAt = Int64(canonical: bytes.extracting(updated))
    else { return nil }
    name = id.lowerBound + plain.lowerBound..<id.lowerBound + plain.upperBound
    self.updatedAt = updatedAt
    isRemoved = members.deleted != nil
    self.text = text
    // The ID comes before it, so that there is a comma.
    stamp = updated.lowerBound - Self.stampStart.count..<updated.upperBound
  }

  private static let stampStart = Array(",\"updatedAt\":".utf8)

  /// The members of the item.
  package var json: JSON { (try? JSON(parsing: text)) ?? .null }

  /// Whether both versions of an item show the same: they are equal, time stamps left aside.
  package func showsSame(as other: DocumentItem) -> Bool {
    let (own, others) = (text.utf8.span, other.text.utf8.span)
    return own.extracting(0..<stamp.lowerBound).isEqual(to: others.extracting(0..<other.stamp.lowerBound))
      && own.extracting(stamp.upperBound..<own.count)
        .isEqual(to: others.extracting(other.stamp.upperBound..<others.count))
  }

  /// Whether both have the same canonical text.
  package static func == (first: DocumentItem, second: DocumentItem) -> Bool {
    first.text.utf8.span.isEqual(to: second.text.utf8.span)
  }

  /// Whether the item's ID comes before that of another item.
  func comesBefore(_ other: DocumentItem) -> Bool {
    text.utf8.span.extracting(name).comesBefore(other.text.utf8.span.extracting(other.name))
  }

  /// Hashes the ID, which equal items share.
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Fields {
  /// The items in a field, ascending by ID; nil if the field is no list of items.
  package func items(in field: Name) -> [DocumentItem]? {
    guard let value = self[field] else { return nil }
    switch value {
    case .stringList(let texts):
      var items: [DocumentItem] = []
      items.reserveCapacity(texts.count)
      for text in texts {
        guard let item = DocumentItem(text: text), items.isEmpty || items[items.count - 1].comesBefore(item)
        else { return nil }
        items.append(item)
      }
      return items
    case .unknownList: return []
    default: return nil
    }
  }

  /// Sets the items of a field. Items are sorted here; their IDs have to be different.
  package mutating func set(_ items: [DocumentItem], in field: Name) {
    let sorted = items.sorted { $0.comesBefore($1) }
    self[field] = .stringList(sorted.map(\.text))
  }
}
