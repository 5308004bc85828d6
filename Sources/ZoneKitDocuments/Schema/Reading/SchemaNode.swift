import ZoneKitRecords

/// A value of a file, and the way to it from the value around all others.
struct SchemaNode {
  /// A member of an object. The way to its name is that to its value.
  struct Member {
    let key: String
    let value: SchemaNode
  }

  let json: JSON
  /// For each level the index of a member or an element.
  let path: [Int]

  /// The members; none if this is no object.
  var members: [Member] {
    (json.object ?? []).enumerated().map { Member(key: $1.key, value: SchemaNode(json: $1.value, path: path + [$0])) }
  }

  /// The elements; none if this is no array.
  var elements: [SchemaNode] {
    (json.array ?? []).enumerated().map { SchemaNode(json: $1, path: path + [$0]) }
  }

  /// The value of a member; nil if there is none.
  subscript(_ key: String) -> SchemaNode? {
    guard let members = json.object, let index = members.lastIndex(where: { $0.key == key }) else { return nil }
    return SchemaNode(json: members[index].value, path: path + [index])
  }
}
