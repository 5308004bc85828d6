import ZoneKitCloud
import ZoneKitRecords
import ZoneKitStorage

/// Reads the schemas of the containers in a data directory. A server may be running.
package struct SchemaDesk {
  private let data: DataDirectory

  /// The schemas in a data directory.
  package init(of data: DataDirectory) { self.data = data }

  /// A container and environment with its schema.
  package struct Grown: Hashable, Sendable {
    /// The container.
    package let container: Name
    /// The environment.
    package let environment: Environment
    /// The schema.
    package let schema: ContainerSchema
  }

  /// The schemas that grew by use, in ascending order of containers and environments.
  package func schemas() throws(StoresError) -> [Grown] {
    guard Folder.exists(data.cloud) else { return [] }
    return try StoresError.from { () throws(StoreError) in
      let store = CloudFiles.readOnly(root: data.cloud)
      var found: [Grown] = []
      for database in try store.databases() where database.scope == .public {
        guard let schema = try SchemaDirectory(of: database).schema(in: store) else { continue }
        found.append(Grown(container: database.container, environment: database.environment, schema: schema))
      }
      return found
    }
  }
}
