import ZoneKitDeviceHost
import ZoneKitDocuments
import ZoneKitRecords

/// Makes and changes the items of a document.
struct ItemForming {
  private let members: [DocumentMember]
  private let view: AppView

  /// Items with those members, on a device in that state.
  init(_ members: [DocumentMember], at view: AppView) {
    self.members = members
    self.view = view
  }

  /// A new item with those values, and the defaults of other members.
  func item(_ id: String, _ assignments: [CommandWords.Assignment]) throws(AppRefusal) -> DocumentItem {
    var values = try values(assignments)
    for member in members where values[member.name] == nil {
      if let value = member.defaultValue {
        values[member.name] = .some(value)
      } else if !member.isOptional {
        throw AppRefusal("\(member.name) of the item is missing; it has to be \(member.expectation)")
      }
    }
    return try item(id, values.compactMapValues(\.self))
  }

  /// A new item with those values, which have to be complete.
  func item(_ id: String, _ values: [Name: FieldValue]) throws(AppRefusal) -> DocumentItem {
    let now = JSON.integer(view.wall.inDocument.milliseconds)
    var json = [JSON.Member("_id", .string(id)), JSON.Member("createdAt", now), JSON.Member("updatedAt", now)]
    for member in members {
      guard let value = values[member.name] else { continue }
      json.append(JSON.Member(member.name.text, MemberWord.json(ofItem: value)))
    }
    guard let item = DocumentItem(.object(json)) else { throw AppRefusal("the item cannot be stored") }
    return item
  }

  /// The item with those values in place of its own.
  func setting(_ assignments: [CommandWords.Assignment], in item: DocumentItem) throws(AppRefusal) -> DocumentItem {
    var item = item
    for (name, value) in try values(assignments).sorted(by: { $0.key < $1.key }) {
      item = item.setting(name.text, value.map(MemberWord.json(ofItem:)))
    }
    return item
  }

  private func values(_ assignments: [CommandWords.Assignment]) throws(AppRefusal) -> [Name: FieldValue?] {
    var values: [Name: FieldValue?] = [:]
    for typed in assignments {
      let member = try MemberWord.member(typed.name, among: members, of: "an item")
      values.updateValue(
        try MemberWord.value(of: typed, member, now: view.wall, in: view.timeZone), forKey: member.name)
    }
    return values
  }
}
