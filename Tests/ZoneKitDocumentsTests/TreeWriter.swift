import ZoneKitDocuments
import ZoneKitRecords

/// Writes documents as trees of JSON from decoded fields: slower than `DocumentWriter`, and simple enough to compare it with.
struct TreeWriter {
  let collection: DocumentCollection
  private let schema = Samples.schema

  /// The document as clients get it; nil if the fields are those of no document.
  func json(of document: Document) -> JSON? {
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
  func data(of fields: Fields) -> JSON? { content(of: fields, isComplete: false).map { .object($0) } }

  private func content(of fields: Fields, isComplete: Bool) -> [JSON.Member]? {
    guard hasCommonFields(fields) else { return nil }
    var members: [JSON.Member] = []
    for member in collection.members {
      if member.items != nil {
        guard let items = fields.items(in: member.name) else { return nil }
        var written: [JSON] = []
        for item in items {
          guard let json = json(of: item, isComplete: isComplete) else { return nil }
          written.append(json)
        }
        members.append(JSON.Member(member.name.text, .array(written)))
        if isComplete { members.append(JSON.Member("totals", totals(of: items))) }
      } else if let value = fields[member.name] {
        guard let json = json(value, of: member) else { return nil }
        members.append(JSON.Member(member.name.text, json))
      } else {
        guard let json = absent(member) else { return nil }
        if isComplete { members.append(JSON.Member(member.name.text, json)) }
      }
    }
    guard schema.summary?.collection == collection.name else { return extra(of: fields).map { members + $0 } }
    return sums(of: fields).map { members + $0 }
  }

  private func hasCommonFields(_ fields: Fields) -> Bool {
    guard collection.name != .conflicts else { return true }
    guard case .timestamp(let time)? = fields[.documentStamp], time.milliseconds >= 0,
      time.milliseconds <= 7_258_118_399_999
    else { return false }
    return fields[.deleted] == nil || fields[.deleted] == .int64(1)
  }

  private func json(_ value: FieldValue, of member: DocumentMember) -> JSON? {
    guard member.accepts(value) else { return nil }
    return switch value {
    case .string(let text): .string(text)
    case .int64(let number): .integer(number)
    case .timestamp(let time): .string(time.iso8601)
    default: nil
    }
  }

  /// What stands for a member that is not stored; nil if it has to be.
  private func absent(_ member: DocumentMember) -> JSON? {
    guard let value = member.defaultValue else { return member.isOptional ? .null : nil }
    return json(value, of: member)
  }

  private func extra(of fields: Fields) -> [JSON.Member]? {
    guard let value = fields[.extra] else { return [] }
    guard case .string(let text) = value else { return nil }
    return (try? JSON(parsing: text))?.object
  }

  private func sums(of fields: Fields) -> [JSON.Member]? {
    func members(_ names: [Name]) -> [JSON.Member]? {
      let found = names.compactMap { name -> JSON.Member? in
        if case .int64(let number)? = fields[name] { JSON.Member(name.text, .integer(number)) } else { nil }
      }
      return found.count == names.count ? found : nil
    }
    guard let totals = members(Samples.items.amounts), let counts = members(["meals", "items"]) else { return nil }
    return [JSON.Member("totals", .object(totals))] + counts
  }

  private func json(of item: DocumentItem, isComplete: Bool) -> JSON? {
    let stored = item.json
    guard case .integer(let created)? = stored["createdAt"] else { return nil }
    let times = 0...Int64(7_258_118_399_999)
    guard times.contains(created), times.contains(item.updatedAt), let extra = extra(stored["extra"]) else {
      return nil
    }
    var members = [JSON.Member("_id", .string(item.id))]
    for member in Samples.items.members {
      switch stored[member.name.text] {
      case .string(let text)? where member.accepts(.string(text)):
        members.append(JSON.Member(member.name.text, .string(text)))
      case .integer(let number)? where member.accepts(.int64(number)):
        members.append(JSON.Member(member.name.text, .integer(number)))
      case nil:
        guard let json = absent(member) else { return nil }
        if isComplete { members.append(JSON.Member(member.name.text, json)) }
      default: return nil
      }
    }
    let stamp = JSON.string(WallTime(milliseconds: item.updatedAt).iso8601)
    members.append(JSON.Member("createdAt", .string(WallTime(milliseconds: created).iso8601)))
    members.append(JSON.Member("updatedAt", stamp))
    if isComplete || item.isRemoved { members.append(JSON.Member("deletedAt", item.isRemoved ? stamp : .null)) }
    return .object(members + extra)
  }

  private func extra(_ value: JSON?) -> [JSON.Member]? {
    guard let value else { return [] }
    return value.string.flatMap { try? JSON(parsing: $0) }?.object
  }

  private func totals(of items: [DocumentItem]) -> JSON {
    let totals = DocumentTotals(of: items, schema.summed)
    return .object(Samples.items.amounts.map { JSON.Member($0.text, .integer(totals[$0])) })
  }
}
