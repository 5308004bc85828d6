import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// Reads the addresses of a running server from the lock file of the cloud's folder.
package enum RunningServer {
  /// The name in the lock file of the key for requests to `/zonekit/`.
  static let keyName = "key"

  /// The server's addresses; nil if no server is running.
  package static func addresses(in data: DataDirectory) -> (http: Address, push: Address)? {
    guard let owner = owner(in: data),
      let http = owner["http"]?.string.flatMap({ try? Address(parsing: $0) }),
      let push = owner["push"]?.string.flatMap({ try? Address(parsing: $0) })
    else { return nil }
    return (http, push)
  }

  /// The server's address for requests, and its key for those to `/zonekit/`, which is nil if none is needed; nil if no
  /// server is running.
  static func control(in data: DataDirectory) -> (http: Address, key: String?)? {
    guard let owner = owner(in: data), let http = owner["http"]?.string.flatMap({ try? Address(parsing: $0) }) else {
      return nil
    }
    return (http, owner[keyName]?.string)
  }

  /// The name in the lock file of the key for clients of tables before a sign-in.
  static let anonymousKeyName = "anonKey"

  /// The key for clients of the server's tables; nil if no server is running, or if it serves none.
  package static func anonymousKey(in data: DataDirectory) -> String? { owner(in: data)?[anonymousKeyName]?.string }

  /// The process ID of the server, and its addresses and keys as variables; nil if no server is running. Throws if its keys
  /// cannot be read.
  package static func variables(in data: DataDirectory) throws(StoresError) -> (pid: Int64, variables: ServerVariables)?
  {
    guard let owner = owner(in: data), let pid = owner["pid"]?.integer, let addresses = addresses(in: data) else {
      return nil
    }
    let keys =
      owner[anonymousKeyName] == nil
      ? nil : try StoresError.from { () throws(StoreError) in try ServiceKeys(in: data.cloud) }
    return (
      pid,
      ServerVariables(
        http: addresses.http, push: addresses.push, key: owner[keyName]?.string,
        tables: keys.map { ("http://\(addresses.http)", $0.anonymousKey, $0.serviceKey) })
    )
  }

  /// The content of the lock file.
  static func owner(in data: DataDirectory) -> JSON? {
    (try? DirectoryLock.owner(of: data.cloud)).flatMap { $0 }.flatMap { try? JSON(parsing: $0) }
  }
}
