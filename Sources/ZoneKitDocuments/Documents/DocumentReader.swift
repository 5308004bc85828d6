import ZoneKitRecords

/// Converts documents of one collection from JSON to the fields of records.
package struct DocumentReader {
  private let schema: DocumentSchema
  private let collection: DocumentCollection
  private let form: DocumentForm

  /// A reader of that collection.
  package init(_ collection: DocumentCollection, of schema: DocumentSchema) {
    self.schema = schema
    self.collection = collection
    form = schema.form(of: collection)
  }

  /// The fields of a document after a change. `before` are those of the stored document; members that the schema does not
  /// name keep their values there if the change does not mention them. The change has to have data.
  package func fields(
    after change: DocumentChange, before: Fields?, of user: Name
  ) throws(ChangeError) -> Fields {
    guard let json = change.data?.json, json.object != nil else {
      throw ChangeError(.badDocument, "`\(change.operation.rawValue)` needs the whole document", path: "data")
    }
    try checkIdentity(json, change.name.id, user)
    var fields = try members(of: json, at: "data", at: change.timestamp, before: before)
    if collection.name != .conflicts { fields[.documentStamp] = .timestamp(change.timestamp) }
    if change.operation == .delete { fields[.deleted] = .int64(1) }
    let size = EncodedFields(fields).utf8.count
    let limit = collection.name == .conflicts ? 1 << 20 : DocumentSchema.documentBytes
    guard size <= limit else {
      throw ChangeError(.tooLarge, "the document has \(size) bytes, at most \(limit) are allowed", path: "data")
    }
    return fields
  }

  /// The fields of a document that the service sent.
  package func fields(ofServed json: JSON) throws(ChangeError) -> Fields {
    let isSummary = schema.summary?.collection == collection.name
    var fields = isSummary ? try sums(of: json) : try members(of: json, at: "data", at: nil, before: nil)
    guard collection.name != .conflicts else { return fields }
    guard let stamp = json["updatedAt"]?.string.flatMap(WallTime.init(documentTime:)) else {
      throw ChangeError(.badDocument, "`updatedAt` has to be a time", path: "data.updatedAt")
    }
    fields[.documentStamp] = .timestamp(stamp)
    if let deletedAt = json["deletedAt"], !deletedAt.isNull { fields[.deleted] = .int64(1) }
    return fields
  }

  private func checkIdentity(_ json: JSON, _ id: String, _ user: Name) throws(ChangeError) {
    for (key, value) in [("_id", id), ("userId", user.text)] {
      guard let named = json[key], !named.isNull, named.string.map({ $0.isWritten(like: value) }) != true else {
        continue
      }
      throw ChangeError(.forbiddenID, "`\(key)` is \(named.excerpt), the change is about \(value)", path: "data.\(key)")
    }
    switch collection.identity {
    case .any: break
    case .only(let only):
      guard id == only else {
        throw ChangeError(
          .badDocument, "the only document of \(collection.name) has the ID \(only), not \(id)", path: "documentId")
      }
    case .member(let member):
      guard json[member.text]?.string?.isWritten(like: id) == true else {
        throw ChangeError(
          .badDocument, "`\(member)` has to be the document's ID, \(id)", path: "data.\(member)")
      }
    }
  }

  /// The sums of a day, without the parts, which never leave the server.
  private func sums(of json: JSON) throws(ChangeError) -> Fields {
    var fields = Fields()
    for (name, value, path) in schema.summed.names.map({ ($0, json["totals"]?[$0.text], "data.totals.\($0)") })
      + schema.summed.counts.map({ ($0, json[$0.text], "data.\($0)") })
    {
      guard let number = value?.wholeNumber, number >= 0 else {
        throw ChangeError(.badDocument, "`\(name)` has to be a whole number, 0 or more", path: path)
      }
      fields[name] = .int64(number)
    }
    return fields
  }

  // MARK: Members

  /// The fields of the members. `timestamp` is that of the change with which a client sent them; nil for a document that
  /// the service sent, which has all of them.
  private func members(
    of json: JSON, at path: String, at timestamp: WallTime?, before: Fields?
  ) throws(ChangeError) -> Fields {
    var fields = Fields()
    for member in collection.members {
      if let form = form.items, member.items != nil {
        fields.set(try items(json, member.name, form, at: path, timestamp, before), in: member.name)
      } else if let value = try value(of: member, in: json, at: path, hasDefaults: timestamp != nil) {
        fields[member.name] = value
      }
    }
    var kept: String?
    if case .string(let text)? = before?[.extra] { kept = text }
    if let extra = try extra(of: json, form.known, keeping: kept, at: path) { fields[.extra] = .string(extra) }
    return fields
  }

  private func value(
    of member: DocumentMember, in json: JSON, at path: String, hasDefaults: Bool
  ) throws(ChangeError) -> FieldValue? {
    guard let found = json[member.name.text], !found.isNull else {
      if member.isOptional { return nil }
      if hasDefaults, let value = member.defaultValue { return value }
      throw ChangeError(
        .badDocument, "`\(member.name)` is missing; it has to be \(member.expectation)", path: "\(path).\(member.name)")
    }
    guard let value = member.value(found) else {
      throw ChangeError(
        .badDocument, "`\(member.name)` is \(found.excerpt); it has to be \(member.expectation)",
        path: "\(path).\(member.name)")
    }
    return value
  }

  /// The canonical text of the members that the schema does not name, and of those among `kept` that the object does not
  /// mention. Their numbers and strings are as they were sent. Nil if there are none.
  private func extra(
    of json: JSON, _ named: Set<String>, keeping kept: String?, at path: String
  ) throws(ChangeError) -> String? {
    let old = kept.flatMap { try? JSON(exactly: $0) }?.object ?? []
    // Of two members with one name the last counts, and null removes what was kept.
    var merged: [Name: JSON] = [:]
    for member in old + (json.object ?? []) where !named.contains(member.key) {
      merged[Name(member.key)] = member.value.isNull ? nil : member.value
    }
    guard !merged.isEmpty else { return nil }
    let text = JSON.object(merged.sorted { $0.key < $1.key }.map { JSON.Member($0.key.text, $0.value) }).text(
      .canonical)
    guard text.utf8.count <= DocumentSchema.extraBytes else {
      throw ChangeError(
        .tooLarge,
        "the members that this version does not know have \(text.utf8.count) bytes, at most "
          + "\(DocumentSchema.extraBytes) are allowed", path: path)
    }
    return text
  }

  // MARK: Items

  private func items(
    _ json: JSON, _ name: Name, _ form: ItemForm, at path: String, _ timestamp: WallTime?, _ before: Fields?
  ) throws(ChangeError) -> [DocumentItem] {
    let path = "\(path).\(name)"
    guard let array = json[name.text]?.array, array.count <= DocumentSchema.itemLimit else {
      throw ChangeError(
        .badDocument, "`\(name)` has to be a list of at most \(DocumentSchema.itemLimit) items", path: path)
    }
    let known = Dictionary((before?.items(in: name) ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var items: [String: DocumentItem] = [:]
    for (index, element) in array.enumerated() {
      let item = try self.item(element, form, at: "\(path)[\(index)]", timestamp) { known[$0] }
      guard items.updateValue(item, forKey: item.id) == nil else {
        throw ChangeError(.badDocument, "two items have the ID \(item.id)", path: "\(path)[\(index)]._id")
      }
    }
    return items.values.sorted { $0.comesBefore($1) }
  }

  private func item(
    _ json: JSON, _ form: ItemForm, at path: String, _ timestamp: WallTime?, before: (String) -> DocumentItem?
  ) throws(ChangeError) -> DocumentItem {
    guard json.object != nil, let id = json["_id"]?.string, DocumentID.isValid(id) else {
      throw ChangeError(
        .badDocument, "an item needs an `_id` of 1 to 64 of the characters A-Z, a-z, 0-9, - and _", path: "\(path)._id")
    }
    var values: [FieldValue?] = []
    for member in form.members {
      values.append(try value(of: member, in: json, at: path, hasDefaults: timestamp != nil))
    }
    let known = before(id)
    let stored = known?.json
    let given = try time("updatedAt", of: json, at: path)
    let created = try time("createdAt", of: json, at: path) ?? stored?.time("createdAt") ?? timestamp
    guard let created, let updated = given ?? timestamp else {
      throw ChangeError(.badDocument, "an item needs `createdAt` and `updatedAt`", path: path)
    }
    let isRemoved = try time("deletedAt", of: json, at: path) != nil
    let extra = try extra(of: json, form.known, keeping: stored?["extra"]?.string, at: path)
    func item(_ updated: WallTime) throws(ChangeError) -> DocumentItem {
      let item = DocumentItem(form) { place, output in
        switch place {
        case form.id: output.appendJSONString(id)
        case form.createdAt: output.appendDecimal(created.milliseconds)
        case form.updatedAt: output.appendDecimal(updated.milliseconds)
        case form.deleted where isRemoved: output.appendDecimal(1)
        case form.extra: return extra.map { output.appendJSONString($0) } != nil
        case values.indices: return values[place].map { output.append(inItem: $0) } ?? false
        default: return false
        }
        return true
      }
      guard let item else { throw ChangeError(.badDocument, "the item cannot be stored", path: path) }
      return item
    }
    let sent = try item(timestamp.map { min(updated, $0) } ?? updated)
    // An item without a time of its own that shows what is stored was not edited.
    if given == nil, let known, sent.showsSame(as: known) { return known }
    return sent
  }

  private func time(_ key: String, of json: JSON, at path: String) throws(ChangeError) -> WallTime? {
    guard let value = json[key], !value.isNull else { return nil }
    guard let time = value.string.flatMap(WallTime.init(anyTime:)) else {
      throw ChangeError(
        .badDocument, "`\(key)` is \(value.excerpt); it has to be a time such as 2026-11-21T06:06:01.308Z",
        path: "\(path).\(key)")
    }
    return time.inDocument
  }
}

extension String {
  /// Whether another text has the same bytes. Two texts that Swift takes for equal may be written differently.
  fileprivate func isWritten(like other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension JSON {
  /// The time in milliseconds of a stored item's member; nil if there is none.
  fileprivate func time(_ key: String) -> WallTime? { self[key]?.integer.map(WallTime.init(milliseconds:)) }
}
