import ZoneKitRecords
import ZoneKitRelations

extension RelationSchema.Table {
  /// The record of a row with those fields, which was committed at that time; nil if it has no key. A row does not name the
  /// device that wrote it.
  package func record(_ fields: Fields, at time: WallTime? = nil, of user: Name) -> Record? {
    guard let name = recordName(of: fields) else { return nil }
    let encoded = EncodedFields(fields)
    let authorship = Authorship(
      at: time ?? WallTime(milliseconds: 0), author: Author(userRecordName: UserRecordName.of(user: user)))
    return Record(
      recordName: name, recordType: recordType, fields: encoded, changeTag: Self.changeTag(of: encoded),
      created: authorship, modified: authorship)
  }

  /// The records of the rows of an answer.
  package func records(_ result: RelationResult, of user: Name) -> [Record] {
    let columns = result.columns.map { column($0.name) }
    return result.rows.compactMap { row in
      var fields: [Field] = []
      for (cell, column) in zip(row, columns) {
        guard case .value(let datum) = cell, let column, let value = column.fieldValue(datum) else { continue }
        fields.append(Field(name: Name(column.name), value: value))
      }
      return record(Fields(fields), of: user)
    }
  }
}
