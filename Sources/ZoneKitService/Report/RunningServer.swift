import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// Reads the addresses of a running server from the lock file of the cloud's folder.
package enum RunningServer {
  /// The name in the lock file of the key for requests to `/zonekit/`.
  static let keyName = "key"

  /// The server's addresses; nil if no server is running.
  package static func addresses(in data: DataDirectory) -> (http: Address, push: Address)? {
    guard let text = try? DirectoryLock.owner(of: data.cloud), let owner = try? JSON(parsing: text),
      let http = owner["http"]?.string.flatMap({ try? Address(parsing: $0) }),
      let push = owner["push"]?.string.flatMap({ try? Address(parsing: $0) })
    else { return nil }
    return (http, push)
  }
}
