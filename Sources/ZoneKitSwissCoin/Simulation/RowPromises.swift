import ZoneKitRecords
import ZoneKitTables

/// What holds for all rows of an account once its devices and its server agree.
package enum RowPromises {
  /// What is broken, a sentence for each row. `former` is the ID that the user's person had before the sign-in, which no
  /// row may name any more.
  package static func violations(in rows: [CoinRow], former: UUID? = nil) -> [String] {
    var byName: [Name: CoinRow] = [:]
    var broken: [String] = []
    for row in rows where byName.updateValue(row, forKey: row.id.recordName) != nil {
      broken.append("\(row.id.recordName) is there twice")
    }
    for row in rows {
      let name = row.id.recordName
      if let owner = row.owner, row.isLiving,
        byName[owner.key.recordName(in: owner.table)].map(\.isLiving) == false
      {
        broken.append("\(name) lives, and its \(SwissCoin.table(owner.table).noun) is deleted")
      }
      for column in row.table.columns {
        guard let id = row[column.name].uuid else { continue }
        if id == former { broken.append("\(name) names the former person in \(column.name)") }
        guard let key = column.foreignKey, byName[RowKey([id]).recordName(in: key.table)] == nil else { continue }
        broken.append("\(name) refers to nothing in \(column.name)")
      }
    }
    return broken
  }
}
