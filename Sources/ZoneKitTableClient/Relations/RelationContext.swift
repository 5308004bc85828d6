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

  /// The table of a zone; nil if there is none.
  func table(of zoneID: ZoneID) -> RelationSchema.Table? { schema.table(zoneID.zoneName.text) }

  /// The error for a zone that is no table.
  static func missing(_ zoneID: ZoneID) -> CloudError {
    CloudError(.zoneNotFound, "there is no table \(zoneID.zoneName)")
  }

  /// A zone that is a table, or the error for one that is none.
  func zone(_ zoneID: ZoneID) -> ZoneResult {
    table(of: zoneID) == nil
      ? .failed(zoneID, Self.missing(zoneID)) : .zone(Zone(zoneID: zoneID, token: nil, isAtomic: false))
  }

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

  /// The condition that a row has that key.
  static func condition(_ key: [String], of table: RelationSchema.Table) -> [RelationCondition] {
    zip(table.keyColumns, key).map { .compare(RelationField($0.name), .equal, $1) }
  }
}
