import ZoneKitRecords

/// A node of the parser's tree: its kind and its members. Members that are zero, false or absent are left out.
struct TreeNode {
  /// The kind, such as `CreateStmt`; empty for what is no node.
  let kind: String
  private let body: JSON

  /// The node that is written as `{"kind":{members}}`.
  init(_ json: JSON) {
    if let members = json.object, members.count == 1, members[0].value.object != nil {
      self.init(members[0].key, members[0].value)
    } else {
      self.init("", .object([]))
    }
  }

  /// The node of that kind with those members, as it is written where only one kind can be.
  init(_ kind: String, _ body: JSON) {
    self.kind = kind
    self.body = body
  }

  /// The names of its members.
  var members: [String] { body.object?.map(\.key) ?? [] }
  /// Where it is in the text; nil where the parser says nothing. A location that is zero is left out.
  var location: Int? {
    guard let location = body["location"]?.integer else { return nil }
    return location < 0 ? nil : Int(location)
  }

  /// The node without that member.
  func without(_ key: String) -> TreeNode {
    TreeNode(kind, .object((body.object ?? []).filter { $0.key != key }))
  }

  /// Whether it has that member.
  func has(_ key: String) -> Bool { body[key] != nil }
  /// The text of a member; empty where there is none.
  func text(_ key: String) -> String { body[key]?.string ?? "" }
  /// The text of a member; nil where there is none.
  func textIfThere(_ key: String) -> String? { body[key]?.string }
  /// Whether a member is true.
  func flag(_ key: String) -> Bool { body[key]?.bool ?? false }
  /// The number of a member.
  func number(_ key: String) -> Int64 { body[key]?.integer ?? 0 }
  /// The node of a member; one of no kind where there is none.
  func node(_ key: String) -> TreeNode { TreeNode(body[key] ?? .null) }
  /// The members of a member that can only be of one kind.
  func node(_ key: String, as kind: String) -> TreeNode { TreeNode(kind, body[key] ?? .object([])) }
  /// The nodes of a list.
  func nodes(_ key: String) -> [TreeNode] { body[key]?.array?.map { TreeNode($0) } ?? [] }
  /// The nodes of a member of the kind `List`.
  func items(of key: String) -> [TreeNode] { node(key).nodes("items") }
  /// The texts of a list of the kind `String`; nil if there is anything else in it.
  func texts(_ key: String) -> [String]? { TreeNode.texts(nodes(key)) }

  /// The texts of nodes of the kind `String`; nil if one is of another kind.
  static func texts(_ nodes: [TreeNode]) -> [String]? {
    var texts: [String] = []
    for node in nodes {
      guard node.kind == "String" else { return nil }
      texts.append(node.text("sval"))
    }
    return texts
  }

  /// The names of the functions that are called anywhere in the node, without their schemas.
  var calledFunctions: [String] {
    var found: [String] = []
    var left = [body]
    while let next = left.popLast() {
      if let call = next["FuncCall"] { found.append(TreeNode("FuncCall", call).texts("funcname")?.last ?? "") }
      left += next.object?.map(\.value) ?? next.array ?? []
    }
    return found
  }
}
