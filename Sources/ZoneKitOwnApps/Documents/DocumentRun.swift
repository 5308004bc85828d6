import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords
import ZoneKitSync

/// A command that changes a document or one of its items.
struct DocumentRun {
  let data: DocumentData
  let shelf: OwnShelf<DocumentData>

  // MARK: Documents

  /// `new COLLECTION [as ID] FIELD=VALUE …`.
  func new(
    _ word: String, _ name: String?, _ assignments: [CommandWords.Assignment], makingID: () -> String
  ) throws(AppRefusal) -> OwnChange {
    let type = try data.type(word, known: [], isNew: true)
    var entry = data.entry(DocumentName(type, ""), Fields())
    let collection = data.collection(of: entry)
    try set(assignments, in: &entry, asNew: true)
    let id = try id(of: entry, collection, name) ?? makingID()
    entry = data.entry(DocumentName(type, id), entry.fields)
    if let old = try shelf.entry(entry.id) {
      throw AppRefusal(
        old.isDeleted
          ? "\(old.words) is deleted; `restore \(type).\(id)` brings it back"
          : "\(old.words) is there already; `set \(type).\(id) FIELD=VALUE` changes it")
    }
    for member in collection.members where entry.fields[member.name] == nil {
      if member.items != nil {
        entry.fields.set([], in: member.name)
      } else if let value = member.defaultValue {
        entry.fields[member.name] = value
      } else if !member.isOptional {
        throw AppRefusal("\(member.name) of \(type) is missing; it has to be \(member.expectation)")
      }
    }
    return try saved(entry, said: "made \(entry.words)")
  }

  /// The ID that the collection, or a name in the command, gives a new document; nil for any.
  private func id(of entry: OwnEntry, _ collection: DocumentCollection, _ name: String?) throws(AppRefusal) -> String? {
    let given: String?
    switch collection.identity {
    case .any: given = name
    case .only(let only):
      guard name == nil || name == only else {
        throw AppRefusal("the only document of \(collection.name) has the ID \(only), not \(name ?? "")")
      }
      given = only
    case .member(let member):
      guard case .string(let value)? = entry.fields[member] else {
        throw AppRefusal("\(member) of \(collection.name) is missing; its value is the ID of the document")
      }
      guard name == nil || name == value else {
        throw AppRefusal("the ID of a document of \(collection.name) is its \(member), \(value), not \(name ?? "")")
      }
      given = value
    }
    guard let given else { return nil }
    guard DocumentID.isValid(given) else {
      throw AppRefusal("\"\(given)\" is no ID; expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _")
    }
    return given
  }

  /// `set ID FIELD=VALUE …`.
  func set(_ word: String, _ assignments: [CommandWords.Assignment]) throws(AppRefusal) -> OwnChange {
    let old = try alive(word)
    var entry = old
    try set(assignments, in: &entry, asNew: false)
    guard EncodedFields(entry.fields) != EncodedFields(old.fields) else {
      return OwnChange(said: "\(entry.words) is like that already")
    }
    return try saved(entry, said: "set \(assignments.map(\.name).joined(separator: ", ")) of \(entry.words)")
  }

  private func set(
    _ assignments: [CommandWords.Assignment], in entry: inout OwnEntry, asNew isNew: Bool
  ) throws(AppRefusal) {
    let collection = data.collection(of: entry)
    for typed in assignments {
      let member = try MemberWord.member(typed.name, among: collection.members, of: "\(entry.type)")
      guard member.items == nil else {
        throw AppRefusal("\(member.name) are items; `add ID FIELD=VALUE` adds one")
      }
      let value = try MemberWord.value(of: typed, member, now: shelf.view.wall, in: shelf.view.timeZone)
      if !isNew, collection.identity == .member(member.name), value != entry.fields[member.name] {
        throw AppRefusal("\(member.name) is the ID of \(entry.words), which never changes")
      }
      entry.fields[member.name] = value
    }
  }

  /// `delete ID`.
  func delete(_ word: String) throws(AppRefusal) -> OwnChange {
    let entry = try written(word)
    guard !entry.isDeleted else { return OwnChange(said: "\(entry.words) is deleted already") }
    let record = try shelf.record(entry.id)
    return OwnChange(
      [.removal(of: entry.id, type: entry.type, fields: entry.fields, record)], said: "deleted \(entry.words)")
  }

  /// `restore ID`.
  func restore(_ word: String) throws(AppRefusal) -> OwnChange {
    var entry = try written(word)
    guard entry.isDeleted else { return OwnChange(said: "\(entry.words) is not deleted") }
    entry.fields[.deleted] = nil
    return try saved(entry, said: "restored \(entry.words)")
  }

  // MARK: Items

  /// `add ID [as ID] FIELD=VALUE …`.
  func add(
    to word: String, _ name: String?, _ assignments: [CommandWords.Assignment], makingID: () -> String
  ) throws(AppRefusal) -> OwnChange {
    let entry = try alive(word)
    let member = try items(of: entry)
    let id = name ?? makingID()
    guard DocumentID.isValid(id) else {
      throw AppRefusal("\"\(id)\" is no ID; expected 1 to 64 of the characters A-Z, a-z, 0-9, - and _")
    }
    let items = entry.fields.items(in: member.name) ?? []
    if let old = items.first(where: { $0.id == id }) {
      throw AppRefusal(
        old.isRemoved
          ? "item \(id) of \(entry.words) is removed; `restore \(word) \(id)` brings it back"
          : "\(entry.words) has an item \(id); `change \(word) \(id) FIELD=VALUE` changes it")
    }
    guard items.count < DocumentSchema.itemLimit else {
      throw AppRefusal("\(entry.words) has \(items.count) items, at most \(DocumentSchema.itemLimit) are allowed")
    }
    let item = try ItemForming(member.items?.members ?? [], at: shelf.view).item(id, assignments)
    return try saved(entry, with: items + [item], in: member, said: "added item \(id) to \(entry.words)")
  }

  /// `change ID ITEM FIELD=VALUE …`.
  func change(
    item: String, of word: String, _ assignments: [CommandWords.Assignment]
  ) throws(AppRefusal) -> OwnChange {
    let entry = try alive(word)
    let member = try items(of: entry)
    let old = try find(item, of: entry, in: member, isRemoved: false)
    let new = try ItemForming(member.items?.members ?? [], at: shelf.view).setting(assignments, in: old)
    guard new != old else { return OwnChange(said: "item \(old.id) is like that already") }
    let names = assignments.map(\.name).joined(separator: ", ")
    return try replaced(new, of: entry, in: member, said: "changed \(names) of item \(old.id)")
  }

  /// `drop ID ITEM`. The removed item stays in the document.
  func drop(item: String, of word: String) throws(AppRefusal) -> OwnChange {
    let entry = try alive(word)
    let member = try items(of: entry)
    let item = try find(item, of: entry, in: member, isRemoved: false)
    return try replaced(
      item.setting("deleted", 1), of: entry, in: member, said: "removed item \(item.id) from \(entry.words)")
  }

  /// `restore ID ITEM`.
  func restore(item: String, of word: String) throws(AppRefusal) -> OwnChange {
    let entry = try alive(word)
    let member = try items(of: entry)
    let item = try find(item, of: entry, in: member, isRemoved: true)
    return try replaced(
      item.setting("deleted", nil), of: entry, in: member, said: "restored item \(item.id) in \(entry.words)")
  }

  /// The only item that a word stands for: its ID, the beginning of it in any case, or `@N` for the Nth one.
  private func find(
    _ word: String, of entry: OwnEntry, in member: DocumentMember, isRemoved: Bool
  ) throws(AppRefusal) -> DocumentItem {
    let items = data.items(of: entry, in: member).filter { $0.isRemoved == isRemoved }
    let what = isRemoved ? "removed item" : "item"
    guard !items.isEmpty else { throw AppRefusal("\(entry.words) has no \(what)") }
    if word.hasPrefix("@"), let number = Int(word.dropFirst()), number > 0 { return items[(number - 1) % items.count] }
    if let exact = items.first(where: { $0.id == word }) { return exact }
    let upper = Array(word.uppercased().utf8)
    let found = items.filter { $0.id.uppercased().utf8.starts(with: upper) }
    guard let first = found.first, !upper.isEmpty else {
      let guess = NearMiss.guess(for: word, among: items.map(\.id)).map { "; did you mean \($0)?" }
      throw AppRefusal(
        "no \(what) of \(entry.words) has an ID that begins with \"\(word)\""
          + (guess ?? "; `show \(entry.type).\(entry.word)` lists them"))
    }
    guard found.count == 1 else {
      throw AppRefusal("\"\(word)\" stands for \(found.count.counted(what)); give more characters of the ID")
    }
    return first
  }

  // MARK: Parts

  /// The document that a word stands for, also a deleted one. It is none that the server writes.
  private func written(_ word: String) throws(AppRefusal) -> OwnEntry {
    let entry = try shelf.find(word)
    guard !data.collection(of: entry).isDerived else {
      throw AppRefusal("\(entry.words) is a sum that the server writes; change the documents that it sums up")
    }
    return entry
  }

  private func alive(_ word: String) throws(AppRefusal) -> OwnEntry {
    let entry = try written(word)
    guard !entry.isDeleted else {
      throw AppRefusal("\(entry.words) is deleted; `restore \(entry.type).\(entry.word)` brings it back")
    }
    return entry
  }

  private func items(of entry: OwnEntry) throws(AppRefusal) -> DocumentMember {
    guard let member = data.collection(of: entry).items else {
      throw AppRefusal("documents of \(entry.type) have no items")
    }
    return member
  }

  private func replaced(
    _ item: DocumentItem, of entry: OwnEntry, in member: DocumentMember, said: String
  ) throws(AppRefusal) -> OwnChange {
    let items = (entry.fields.items(in: member.name) ?? []).map { $0.id == item.id ? item : $0 }
    return try saved(entry, with: items, in: member, said: said)
  }

  private func saved(
    _ entry: OwnEntry, with items: [DocumentItem], in member: DocumentMember, said: String
  ) throws(AppRefusal) -> OwnChange {
    var entry = entry
    entry.fields.set(items, in: member.name)
    return try saved(entry, said: said)
  }

  /// Room for the stamp that the coordinator adds to a document.
  private static let stampBytes = 64

  private func saved(_ entry: OwnEntry, said: String) throws(AppRefusal) -> OwnChange {
    let size = EncodedFields(entry.fields).utf8.count
    guard size < DocumentSchema.documentBytes - Self.stampBytes else {
      throw AppRefusal(
        "\(entry.words) would have \(size) bytes, at most \(DocumentSchema.documentBytes) are allowed; shorten it")
    }
    return OwnChange(entry, said: said)
  }
}
