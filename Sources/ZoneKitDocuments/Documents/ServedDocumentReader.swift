import ZoneKitRecords

/// Reads documents of one collection from the bytes of an answer, if they are written as `DocumentWriter` writes them. Any
/// other form is read by `DocumentReader`, which also says what is wrong with it.
package struct ServedDocumentReader {
  private let form: DocumentForm
  private let name: Name
  private let isSummary: Bool
  /// The ranges of the values of a document and of an item. They are kept to spare allocations.
  private var values: [Range<Int>?]
  private var itemValues: [Range<Int>?]

  /// A reader of that collection.
  package init(_ collection: DocumentCollection, of schema: DocumentSchema) {
    form = schema.form(of: collection)
    name = collection.name
    isSummary = schema.summary?.collection == collection.name
    values = Array(repeating: nil, count: form.servedLayout.members.count)
    itemValues = Array(repeating: nil, count: form.items?.servedLayout.members.count ?? 0)
  }

  /// The document in that range of UTF-8 bytes; nil if it is written in another form.
  package mutating func document(_ bytes: Span<UInt8>, _ range: Range<Int>, of user: Name) -> Document? {
    guard !isSummary, Self.read(range, form.servedLayout, in: bytes, to: &values) else { return nil }
    var version: Int64?
    var (id, tag, device): (String?, String?, String?)
    var (stamp, deletedAt, committedAt): (WallTime?, WallTime?, WallTime?)
    for (place, name) in form.served.enumerated() {
      guard let value = values[place] else { return nil }
      let text = bytes.extracting(value)
      switch name {
      case "_id": id = text.plainText
      case "tag": tag = text.plainText
      case "deviceId": device = text.plainText
      case "version": version = Int64(canonical: text)
      case .documentStamp: stamp = text.documentTime
      case "committedAt": committedAt = text.time
      case "deletedAt" where !text.isEqual(to: "null"):
        guard let time = text.documentTime else { return nil }
        deletedAt = time
      default: break
      }
    }
    guard let id, DocumentID.isValid(id), let version, let tag = tag.flatMap(DocumentTag.init), let device,
      let committedAt, !form.isEdited || stamp != nil,
      let content = content(in: bytes, stamp: stamp, isDeleted: deletedAt != nil)
    else { return nil }
    return Document(
      DocumentName(self.name, id), of: user, version: version, tag: tag, deviceID: device, committedAt: committedAt,
      content: content, isDeleted: deletedAt != nil)
  }

  /// Finds the values of an object. Returns false if it is written in another form than the layout has, or has other members.
  private static func read(
    _ range: Range<Int>, _ layout: ObjectLayout, in bytes: Span<UInt8>, to values: inout [Range<Int>?]
  ) -> Bool {
    for place in values.indices { values[place] = nil }
    var walk = ObjectWalk(range, layout)
    do throws(StoreError) {
      while let entry = try walk.next(in: bytes) {
        guard values[entry.place] == nil else { return false }
        values[entry.place] = entry.value
      }
      return !walk.hasSkipped
    } catch {
      return false
    }
  }

  // MARK: Content

  /// The canonical text of the document's fields.
  private mutating func content(in bytes: Span<UInt8>, stamp: WallTime?, isDeleted: Bool) -> EncodedFields? {
    let form = form
    var text: [UInt8] = []
    text.reserveCapacity(form.layout.text.count + 256)
    let isDocument = form.layout.appendObject(to: &text) { place, text in
      switch place {
      case form.stamp:
        if let stamp { text.appendDecimal(stamp.milliseconds) }
        return stamp != nil
      case form.deleted:
        text.append(UInt8(ascii: "1"))
        return isDeleted && form.isEdited
      case form.extra: return false
      default: return append(values[form.served.count + place], of: form.members[place], in: bytes, to: &text)
      }
    }
    return isDocument ? EncodedFields(canonical: text) : nil
  }

  /// Appends the value of a member as it is stored. Returns whether there is one; nil if the member cannot have it.
  private mutating func append(
    _ value: Range<Int>?, of member: DocumentMember, in bytes: Span<UInt8>, to text: inout [UInt8]
  ) -> Bool? {
    guard let value else { return nil }
    let json = bytes.extracting(value)
    guard !json.isEqual(to: "null") else { return member.isOptional ? false : nil }
    switch member.kind {
    case .items: return appendItems(value, in: bytes, to: &text) ? true : nil
    case .time: return text.append(time: json)
    case .boolean:
      let isTrue = json.isEqual(to: "true")
      guard isTrue || json.isEqual(to: "false") else { return nil }
      text.appendDecimal(isTrue ? 1 : 0)
      return true
    case .number:
      guard case .double(let number)? = (try? JSON(parsing: json)).flatMap(member.value) else { return nil }
      text.appendJSONNumber(number)
      return true
    case .text, .day, .choice, .documentID, .integer: return text.append(served: json, of: member) ? true : nil
    }
  }

  // MARK: Items

  private mutating func appendItems(_ list: Range<Int>, in bytes: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    guard let items = form.items, var walk = ArrayWalk(list, in: bytes) else { return false }
    var last: Range<Int>?
    var item: [UInt8] = []
    text.append(UInt8(ascii: "["))
    var count = 0
    while let element = walk.next(in: bytes) {
      guard Self.read(element, items.servedLayout, in: bytes, to: &itemValues), let id = itemValues[0],
        last.map({ bytes.extracting($0).comesBefore(bytes.extracting(id)) }) ?? true,
        appendItem(items, in: bytes, to: &item)
      else { return false }
      if count > 0 { text.append(UInt8(ascii: ",")) }
      text.appendJSONString(utf8: item.span)
      item.removeAll(keepingCapacity: true)
      last = id
      count += 1
    }
    text.append(UInt8(ascii: "]"))
    return walk.isAtEnd && count <= DocumentSchema.itemLimit
  }

  /// Appends the canonical text of the item whose values were read. Its times have the same places there as in the answer.
  private mutating func appendItem(_ items: ItemForm, in bytes: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    return items.layout.appendObject(to: &text) { place, text in
      switch place {
      case items.id:
        guard let value = itemValues[0], let id = bytes.extracting(value).plainString,
          DocumentID.isValid(bytes.extracting(value).extracting(id))
        else { return nil }
        text.append(copying: bytes.extracting(value))
        return true
      case items.createdAt, items.updatedAt:
        return itemValues[place].flatMap { text.append(time: bytes.extracting($0)) }
      case items.deleted:
        guard let value = itemValues[place] else { return nil }
        if bytes.extracting(value).isEqual(to: "null") { return false }
        text.append(UInt8(ascii: "1"))
        return bytes.extracting(value).documentTime == nil ? nil : true
      case 0..<items.members.count:
        return append(itemValues[place + 1], of: items.members[place], in: bytes, to: &text)
      default: return false
      }
    }
  }
}

extension [UInt8] {
  /// Appends the time in a string in milliseconds. Returns nil if there is none.
  fileprivate mutating func append(time json: Span<UInt8>) -> Bool? {
    guard let time = json.documentTime else { return nil }
    appendDecimal(time.milliseconds)
    return true
  }

  /// Appends a value that is stored as it was sent. Returns false if the member cannot have it.
  fileprivate mutating func append(served json: Span<UInt8>, of member: DocumentMember) -> Bool {
    guard member.accepts(stored: json) else { return false }
    if json.plainString != nil || json[0] != UInt8(ascii: "\"") {
      append(copying: json)
    } else {
      // The sender may have escaped characters in another way.
      guard let text = json.decodedString else { return false }
      appendJSONString(text)
    }
    return true
  }
}

extension Span<UInt8> {
  /// The text of a string without escapes.
  fileprivate var plainText: String? { plainString.flatMap { String(utf8: extracting($0)) } }

  /// The time of the year 1970 to 2199 in a string.
  fileprivate var documentTime: WallTime? { plainString.flatMap { WallTime(documentTime: extracting($0)) } }

  /// The time in a string.
  fileprivate var time: WallTime? { plainString.flatMap { WallTime(iso8601: extracting($0)) } }
}
