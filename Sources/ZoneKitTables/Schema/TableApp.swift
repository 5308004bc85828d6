public import ZoneKitRecords

/// An app whose rows a server keeps: its name, the place of its rows in the cloud, and its tables.
public struct TableApp: Hashable, Sendable {
  /// The app's name in commands and outputs.
  public var name: String
  /// The container of its databases.
  public var container: Name
  /// The container's environment.
  public var environment: Environment
  /// The zone of each account's private database that holds the account's rows.
  public var zone: Name
  /// The tables.
  public var schema: TableSchema

  /// An app with those properties.
  public init(name: String, container: Name, environment: Environment, zone: Name, schema: TableSchema) {
    self.name = name
    self.container = container
    self.environment = environment
    self.zone = zone
    self.schema = schema
  }

  /// The database that holds the rows of an account.
  public func database(of account: UUID) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: Name(account.text), scope: .private)
  }
}
