import ZoneKitRecords
import ZoneKitRelations

/// An app whose rows a server keeps: its name, the place of its rows in the cloud, and its tables.
package struct TableApp: Hashable, Sendable {
  /// The table with a row for each account, which the server makes.
  package struct Profile: Hashable, Sendable {
    /// The table. Its key is the account.
    package var table: Name
    /// The column of the account's name.
    package var name: Name

    /// That table with that column.
    package init(table: Name, name: Name) {
      self.table = table
      self.name = name
    }
  }

  /// The app's name in commands and outputs.
  package var name: String
  /// The container of its databases.
  package var container: Name
  /// The container's environment.
  package var environment: Environment
  /// The zone of each account's private database that holds the account's rows.
  package var zone: Name
  /// The tables.
  package var schema: TableSchema
  /// The table with a row for each account; nil if there is none.
  package var profile: Profile?
  /// The functions that clients call.
  package var functions: [TableFunction]
  /// What devices tell about changes, by table.
  package var notices: [Name: TableNotice]
  /// The bucket for objects; nil if the app has none.
  package var bucket: ObjectBucket?
  /// The photos of rows, which are objects of the bucket; nil if the app has none.
  package var photos: TablePhotos?

  /// The tables of a user's own schema, whose rows have no stamps; nil for an app with tables of this product. Then each
  /// table is a zone.
  package var relations: RelationSchema?

  /// An app with those properties.
  package init(
    name: String, container: Name, environment: Environment, zone: Name, schema: TableSchema,
    profile: Profile? = nil, functions: [TableFunction] = [], notices: [Name: TableNotice] = [:],
    bucket: ObjectBucket? = nil, photos: TablePhotos? = nil
  ) {
    self.name = name
    self.container = container
    self.environment = environment
    self.zone = zone
    self.schema = schema
    self.profile = profile
    self.functions = functions
    self.notices = notices
    self.bucket = bucket
    self.photos = photos
  }

  /// The app whose tables are those of a schema of a user's own. Its zones hold no rows.
  package static let own = TableApp(
    name: "tables", container: "com.example.tables", environment: .development, zone: "Tables",
    schema: TableSchema([]))

  /// The same with those tables, as devices know them.
  package static func own(_ relations: RelationSchema) -> TableApp {
    var app = own
    app.relations = relations
    return app
  }

  /// The zone of each account's private database that holds versions of rows that lost against others.
  package static let journal: Name = "ConflictJournal"

  /// The zone of each account's private database that holds what is known of objects.
  package static let objects: Name = "Objects"

  /// The zone that holds the rows of a table.
  package func zone(of table: Name) -> Name { OwnTable(table) == .conflicts ? Self.journal : zone }

  /// The database that holds the rows of an account.
  package func database(of account: UUID) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: Name(account.text), scope: .private)
  }
}
