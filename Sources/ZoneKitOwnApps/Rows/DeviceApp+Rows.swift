import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitSync
import ZoneKitTables

extension DeviceApp {
  /// The name of apps with the rows of a user's own schema.
  package static let rowsName = "rows"

  /// An app with the rows of the tables that a schema describes, on a server of Supabase's kind. The last write of a column
  /// wins.
  package static func rows(of schema: RelationSchema, from file: DescribingFile) -> DeviceApp {
    let data = RowData(schema: schema)
    let tables = TableApp.own(schema)
    var app = DeviceApp(
      rowsName, configuration: .rows(of: schema), container: tables.container, zones: schema.tables.map(\.zoneID)
    ) { _ in RunningOwnApp(data: data) }
    app.cloud = .tables(tables)
    app.describingFile = file
    app.commands = Commands(verbs: data.verbs, help: rowsHelp)
    app.interchange = .rows(of: data)
    app.interchange?.mapped = { (mapping) throws(AppRefusal) in try Interchange.mapped(mapping, into: data) }
    app.interchange?.table = { (type, view) in try TableExport(data: data).export(type, view) }
    app.simulation = RowSimulation(schema).part
    return app
  }

  /// The lines of the help for rows of any schema.
  package static let rowsHelp =
    [
      "new TABLE [as KEY] COLUMN=VALUE ...           set ID COLUMN=VALUE ...",
      "list [TABLE] [N]              show ID         delete ID",
      "ID: a key, or the beginning of one; TABLE.KEY for keys that two tables have",
    ] + RowWord.help + [
      "Of two writes of a column the last one wins; a deletion wins against an edit."
    ]
}

extension CoordinatorConfiguration {
  /// The settings for the rows of a database.
  fileprivate static func rows(of schema: RelationSchema) -> CoordinatorConfiguration {
    var configuration = CoordinatorConfiguration(
      mergePolicy: MergePolicy { _ in Resolution(.adoptServer, rule: "database") })
    configuration.traits.feeds = .zones(schema.tables.map(\.zoneID))
    configuration.traits.journalZone = nil
    configuration.traits.arbiter = .cloud
    configuration.traits.isPlainDatabase = true
    configuration.traits.typeOrder = schema.tables.map(\.recordType)
    configuration.traits.announcedTypes = Set(schema.tables.filter(\.isPublished).map(\.recordType))
    configuration.pushes.subscriptionID = nil
    // A read shows what is there. It is never behind an event.
    configuration.pushes.emptyPushTries = 0
    configuration.pacing.order = .sendFirst
    configuration.limits.batch = 100
    configuration.pacing.backoffFirst = 1_000
    configuration.pacing.backoffLimit = 300_000
    // Nothing tells of changes of a table that is not published.
    if !schema.tables.allSatisfy(\.isPublished) { configuration.pacing.fallback = 60_000 }
    return configuration
  }
}
