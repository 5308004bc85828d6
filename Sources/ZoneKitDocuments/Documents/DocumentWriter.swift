import ZoneKitRecords

/// Converts documents of one collection from the fields of records to JSON.
package struct DocumentWriter {
  private let schema: DocumentSchema
  private let collection: DocumentCollection

  /// A writer of that collection.
  package init(_ collection: DocumentCollection, of schema: DocumentSchema) {
    self.schema = schema
    self.collection = collection
  }

  /// The document as clients get it: what the server knows of it, every member of the schema (null if it is absent), sums,
  /// and the members that the schema does not name. Nil if the fields are those of no document.
  package func json(of document: Document) -> JSON? {
    guard let content = content(of: document.fields, isComplete: true) else { return nil }
    var members = [
      JSON.Member("_id", .string(document.name.id)), JSON.Member("userId", .string(document.user.text)),
      JSON.Member("version", .integer(document.version)), JSON.Member("tag", .string(document.tag.text)),
    ]
    if collection.name != .conflicts {
      let stamp = JSON.string(document.fields.editedAt.iso8601)
      members.append(JSON.Member("updatedAt", stamp))
      members.append(JSON.Member("deletedAt", document.fields.isDeleted ? stamp : .null))
    }
    members.append(JSON.Member("deviceId", .string(document.deviceID)))
    members.append(JSON.Member("committedAt", .string(document.committedAt.iso8601)))
    return .object(members + content)
  }

  /// The document as a client sends it; nil if the fields are those of no document.
  package func data(of fields: Fields) -> DocumentData? {
    content(of: fields, isComplete: false).map { DocumentData(.object($0)) }
  }

  /// Whether the fields are those of a document of the collection.
  package func isDocument(_ fields: Fields) -> Bool { content(of: fields, isComplete: false) != nil }

  // MARK: Members

  private func content(of fields: Fields, isComplete: Bool) -> [JSON.Member]? {
    guard hasCommonFields(fields) else { return nil }
    var members: [JSON.Member] = []
    for member in collection.members {
      if member.kind == .items {
        guard let items = fields.items(in: member.name) else { return nil }
        var written: [JSON] = []
        for item in items {
          guard let json = json(of: item, isComplete: isComplete) else { return nil }
          written.append(json)
        }
        members.append(JSON.Member(member.name.text, .array(written)))
        if isComplete { members.append(JSON.Member("totals", totals(of: items))) }
      } else if let value = fields[member.name] {
        guard let json = member.json(value) else { return nil }
        members.append(JSON.Member(member.name.text, json))
      } else {
        guard member.isOptional else { return nil }
        if isComplete { members.append(JSON.Member(member.name.text, .null)) }
      }
    }
    guard let summary = schema.summary, summary.collection == collection.name else {
      return extra(of: fields).map { members + $0 }
    }
    return DailySummary.members(fields, schema.amounts).map { members + $0 }
  }

  private func hasCommonFields(_ fields: Fields) -> Bool {
    guard collection.name != .conflicts else { return true }
    guard case .timestamp(let time)? = fields[.documentStamp], WallTime.isOfDocument(time) else { return false }
    return fields[.deleted] == nil || fields[.deleted] == .int64(1)
  }

  private func extra(of fields: Fields) -> [JSON.Member]? {
    guard let value = fields[.extra] else { return [] }
    guard case .string(let text) = value else { return nil }
    return (try? JSON(parsing: text))?.object
  }

  // MARK: Items

  private func json(of item: DocumentItem, isComplete: Bool) -> JSON? {
    let stored = item.json
    let created = WallTime(milliseconds: stored["createdAt"]?.integer ?? -1)
    let updated = WallTime(milliseconds: item.updatedAt)
    guard WallTime.isOfDocument(created), WallTime.isOfDocument(updated), let extra = extra(stored["extra"]) else {
      return nil
    }
    var members = [JSON.Member("_id", .string(item.id))]
    for member in schema.itemMembers {
      switch stored[member.name.text] {
      case .string(let text)? where member.accepts(.string(text)):
        members.append(JSON.Member(member.name.text, .string(text)))
      case .integer(let number)? where member.accepts(.int64(number)):
        members.append(JSON.Member(member.name.text, .integer(number)))
      case nil where member.isOptional:
        if isComplete { members.append(JSON.Member(member.name.text, .null)) }
      default: return nil
      }
    }
    let stamp = JSON.string(updated.iso8601)
    members.append(JSON.Member("createdAt", .string(created.iso8601)))
    members.append(JSON.Member("updatedAt", stamp))
    if isComplete || item.isRemoved { members.append(JSON.Member("deletedAt", item.isRemoved ? stamp : .null)) }
    return .object(members + extra)
  }

  /// The members in the text of an item that the schema does not name; nil if it is no text of an object.
  private func extra(_ value: JSON?) -> [JSON.Member]? {
    guard let value else { return [] }
    return value.string.flatMap { try? JSON(parsing: $0) }?.object
  }

  private func totals(of items: [DocumentItem]) -> JSON {
    let totals = DocumentTotals(of: items, schema.amounts)
    return .object(schema.amounts.map { JSON.Member($0.text, .integer(totals[$0])) })
  }
}
