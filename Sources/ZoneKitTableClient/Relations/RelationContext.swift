import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// The tables and the account of an exchange with a database, and the conversion between rows and records.
struct RelationContext: Sendable {
  let schema: RelationSchema
  /// When versions of rows were committed, as far as events told it.
  let commits: [ChangeTag: WallTime]
  private let user: Name

  init(_ schema: RelationSchema, account: UUID, commits: [ChangeTag: WallTime]) {
    self.schema = schema
    self.commits = commits
    user = Name(account.text)
  }

  // MARK: Zones

  /// The table of a zone. Throws if the zone is no table.
  func table(of zoneID: ZoneID) throws(CloudError) -> RelationSchema.Table {
    guard let table = schema.table(zoneID.zoneName.text) else {
      throw CloudError(.zoneNotFound, "there is no table \(zoneID.zoneName)")
    }
    return table
  }

  /// The tables.
  var zones: [ZoneID] { schema.tables.map(\.zoneID) }

  /// A zone that is a table, or the error for one that is none.
  func lookUp(_ zoneID: ZoneID) -> ZoneResult {
    do throws(CloudError) {
      _ = try table(of: zoneID)
      return .zone(Zone(zoneID: zoneID, token: nil, isAtomic: false))
    } catch {
      return .failed(zoneID, error)
    }
  }

  // MARK: Rows and records

  /// The record of a row. Throws if the row cannot be read.
  func record(_ row: [JSON.Member], of table: RelationSchema.Table) throws(CloudError) -> Record {
    let fields: Fields
    do throws(SQLFailure) {
      fields = try table.fields(of: row)
    } catch {
      throw CloudError(.internalError, "\(table.name): a row cannot be read: \(error.message)")
    }
    let time = commits[RelationSchema.Table.changeTag(of: EncodedFields(fields))]
    guard let record = table.record(fields, at: time, of: user) else {
      throw CloudError(.internalError, "\(table.name): a row has no \(table.keyColumns.map(\.name))")
    }
    return record
  }
}
