/// A value of a JSON document, and the way to it from the value around all others, for errors with places.
package struct JSONNode {
  /// A member of an object. The way to its name is that to its value.
  package struct Member {
    /// The name.
    package let key: String
    /// The value.
    package let value: JSONNode
  }

  /// The value.
  package let json: JSON
  /// For each level the index of a member or an element.
  package let path: [Int]

  /// The value with that way to it; `[]` for the value around all others.
  package init(json: JSON, path: [Int]) {
    self.json = json
    self.path = path
  }

  /// The members; none if this is no object.
  package var members: [Member] {
    (json.object ?? []).enumerated().map { Member(key: $1.key, value: JSONNode(json: $1.value, path: path + [$0])) }
  }

  /// The elements; none if this is no array.
  package var elements: [JSONNode] {
    (json.array ?? []).enumerated().map { JSONNode(json: $1, path: path + [$0]) }
  }

  /// The value of a member; nil if there is none.
  package subscript(_ key: String) -> JSONNode? {
    guard let members = json.object, let index = members.lastIndex(where: { $0.key == key }) else { return nil }
    return JSONNode(json: members[index].value, path: path + [index])
  }
}
