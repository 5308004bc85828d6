import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage

/// Where the server listens that owns a cloud's folder, as its lock says.
package enum RunningServer {
  /// The server's addresses; nil where none runs there.
  package static func addresses(in data: DataDirectory) -> (http: Address, push: Address)? {
    guard let text = try? DirectoryLock.owner(of: data.cloud), let owner = try? JSON(parsing: text),
      let http = owner["http"]?.string.flatMap({ try? Address(parsing: $0) }),
      let push = owner["push"]?.string.flatMap({ try? Address(parsing: $0) })
    else { return nil }
    return (http, push)
  }
}
