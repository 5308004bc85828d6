import ZoneKitRecords

/// An app whose documents a server keeps: its name, the place of its documents in the cloud, and its collections.
package struct DocumentApp: Hashable, Sendable {
  /// The app's name in commands and outputs.
  package var name: String
  /// The container of its databases.
  package var container: Name
  /// The container's environment.
  package var environment: Environment
  /// The zone of each account's private database that holds the account's documents.
  package var zone: Name
  /// The collections.
  package var schema: DocumentSchema

  /// An app with those properties.
  package init(name: String, container: Name, environment: Environment, zone: Name, schema: DocumentSchema) {
    self.name = name
    self.container = container
    self.environment = environment
    self.zone = zone
    self.schema = schema
  }

  /// The zone that holds a feed.
  package func zone(of feed: DocumentFeed) -> Name {
    switch feed {
    case .documents: zone
    case .conflicts: "ConflictJournal"
    }
  }

  /// The database that holds the documents of an account.
  package func database(of user: Name) -> DatabaseID {
    DatabaseID(container: container, environment: environment, user: user, scope: .private)
  }
}
