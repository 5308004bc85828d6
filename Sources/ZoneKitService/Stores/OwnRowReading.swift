import ZoneKitCatalogue
import ZoneKitCloudProcess
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitRelations
import ZoneKitStorage
import ZoneKitTables

/// Reads the rows of a user's own tables as an account sees them, whether a server is running or not.
struct OwnRowReading {
  /// The tables as the files of the cloud describe them; nil if there are no such tables.
  private let tables: (schema: PreparedSchema, rows: RelationFiles)?
  private let known: RelationSchema
  private let context: EvaluationContext

  /// The rows of an app in a data directory, for an account; for nobody if that is nil.
  init(in data: DataDirectory, app: TableApp, account: UUID?, now: WallTime) throws(StoreError) {
    known = app.relations ?? RelationSchema([])
    let accounts = AccountFiles(observing: AccountFiles.path(root: data.cloud, app: app))
    let stored = try account.flatMap { (id) throws(StoreError) in try accounts.account(id)?.account }
    context = EvaluationContext(of: account.map { .account($0) } ?? .anonymous, stored, at: now) {
      UUID(high: 0, low: 0)
    }
    let path = RelationFiles.path(root: data.cloud, app: app)
    guard Folder.exists(path), !Folder.isEmpty(path) else {
      tables = nil
      return
    }
    let rows = try RelationFiles(observing: data.cloud, app: app)
    tables = (try Self.schema(of: rows), rows)
    for layout in tables?.schema.layouts ?? [] { try rows.know(layout) }
  }

  private static func schema(of rows: RelationFiles) throws(StoreError) -> PreparedSchema {
    do {
      return try PreparedSchema(SchemaFiles(former: try rows.texts() ?? []).catalogue)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.corrupt, "the schema of the tables cannot be read: \(error)", place: rows.path)
    }
  }

  /// The zones: one for each table.
  var zoneIDs: [ZoneID] { known.tables.map(\.zoneID) }

  /// The rows of a table that the account sees, as the records of a zone.
  func zone(_ name: Name) throws(StoreError) -> CloudReading.Zone {
    var zone = CloudReading.Zone(others: .gone)
    guard let tables, let table = known.table(name.text) else { return zone }
    var server = RelationServer(tables.schema, on: tables.rows)
    switch server.carryOut(RelationRequest(.read, table.name), context).result {
    case .failure(let error):
      throw StoreError(.failed, "the rows of \(name) cannot be read: \(error.message)", place: tables.rows.path)
    case .success(let result):
      for record in table.records(result, of: "") { zone.take(record) }
      return zone
    }
  }
}
