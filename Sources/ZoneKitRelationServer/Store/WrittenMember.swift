import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// A member of the JSON object of a row.
package struct WrittenMember: Sendable {
  /// The name as JSON, and the colon behind it.
  let key: [UInt8]
  /// The place of the value among the columns of the table.
  package let column: Int
  /// The type of the value.
  let type: DatumType

  /// The value of that column under that name.
  package init(_ name: String, column: Int, _ type: DatumType) {
    var key: [UInt8] = []
    key.appendJSONString(name)
    key.append(UInt8(ascii: ":"))
    (self.key, self.column, self.type) = (key, column, type)
  }
}

extension RelationStore {
  /// The rows are read as values. A store that keeps something else need not do that.
  package func json(_ search: RowSearch, _ members: [WrittenMember]) throws(RelationFailure) -> WrittenRows {
    var written = WrittenRows()
    for row in try rows(search) {
      written.append(members) { member, bytes in
        member.type.append(row.values[member.column], toJSON: &bytes)
      }
    }
    return written
  }
}

extension WrittenRows {
  /// Appends a row, whose values `write` appends.
  package mutating func append<Failure: Error>(
    _ members: [WrittenMember], _ write: (WrittenMember, inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    if count > 0 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += member.key
      try write(member, &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    count += 1
  }
}
