/// How objects of one kind are written without white space: the order of their members, and the beginning of each, which is
/// the same in all objects, such as `"name":{"type":"STRING","value":` for a field of a record. A walk compares that beginning
/// as a whole.
package struct ObjectLayout: Sendable {
  /// A member that is expected.
  package struct Member: Sendable {
    /// The range of its beginning in `text`.
    package var beginning: Range<Int>
    /// The range of its name there, without quotes.
    package var name: Range<Int>
    /// The range of its type there, without quotes; empty if members have no types.
    package var type: Range<Int>
    /// The place of its value for the reader.
    package var place: Int
  }

  /// The beginnings of all members.
  package let text: [UInt8]
  /// The members, in the order in which objects mostly have them.
  package let members: [Member]
  /// Whether the values are objects with a type and a value, as in the text of a record's fields.
  let isOfFields: Bool
  /// Whether the members are in ascending order of their names, so that a later one shows that an earlier one is missing.
  let isAscending: Bool

  /// The layout of the canonical text of records with those fields.
  package init(fields: [(name: Name, type: FieldType, place: Int)]) {
    self.init(
      fields.map { ($0.name, $0.type, $0.place) }.sorted { $0.0 < $1.0 }, isOfFields: true, isAscending: true)
  }

  /// The layout of the canonical text of objects with those members.
  package init(members: [(name: Name, place: Int)]) {
    self.init(members.map { ($0.name, nil, $0.place) }.sorted { $0.0 < $1.0 }, isOfFields: false, isAscending: true)
  }

  /// The layout of objects that mostly have all of those members, in that order. The place of each is its index.
  package init(inOrder names: [Name]) {
    self.init(names.enumerated().map { ($1, nil, $0) }, isOfFields: false, isAscending: false)
  }

  /// Appends the beginning of the member at that index of `members`, behind a comma unless it is the first one of its object.
  package func appendBeginning(_ index: Int, isFirst: Bool = false, to output: inout [UInt8]) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    output.append(copying: text.span.extracting(members[index].beginning))
  }

  /// Appends an object. `append` appends the value of the member with that place. It returns false if the object does not have
  /// the member, and nil if there can be no such object. Returns false in that case; what was appended is then of no use.
  package func appendObject(to output: inout [UInt8], _ append: (Int, inout [UInt8]) -> Bool?) -> Bool {
    let first = output.count
    for index in members.indices {
      let start = output.count
      if start == first { output.append(UInt8(ascii: "{")) }
      appendBeginning(index, isFirst: start == first, to: &output)
      guard let isThere = append(members[index].place, &output) else { return false }
      if !isThere { output.removeSubrange(start...) } else if isOfFields { output.append(UInt8(ascii: "}")) }
    }
    if output.count == first { output.append(UInt8(ascii: "{")) }
    output.append(UInt8(ascii: "}"))
    return true
  }

  private init(_ described: [(Name, FieldType?, Int)], isOfFields: Bool, isAscending: Bool) {
    var text: [UInt8] = []
    var members: [Member] = []
    for (name, type, place) in described {
      let start = text.count
      text.appendJSONString(name.text)
      let nameRange = start + 1..<text.count - 1
      text.append(UInt8(ascii: ":"))
      var typeRange = text.count..<text.count
      if let type {
        text.append(literal: "{\"type\":")
        let typeStart = text.count + 1
        text.appendJSONString(type.rawValue)
        typeRange = typeStart..<text.count - 1
        text.append(literal: ",\"value\":")
      }
      members.append(Member(beginning: start..<text.count, name: nameRange, type: typeRange, place: place))
    }
    self.text = text
    self.members = members
    self.isOfFields = isOfFields
    self.isAscending = isAscending
  }
}
