import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitService
import ZoneKitStorage
import ZoneKitTables
import ZoneKitThreads

/// The real server on a free port of this machine, for tests of clients that need a URL.
///
/// It serves the tables of a schema as Supabase does, documents over REST, and CloudKit Web Services, on a thread of its own and with its files in a
/// temporary folder. They are removed when it stops, at the latest with the last reference to it.
public final class LocalServer: Sendable {
  /// The URL of the server, such as `http://127.0.0.1:40123`.
  public let url: String
  /// The port.
  public let port: UInt16
  /// The key of apps, which is that of Supabase's `anon` role.
  public let anonKey: String
  /// The key of the server's owner, which sees the rows of all accounts.
  public let serviceKey: String
  /// The data folder of the server until it stops, for `zonekit diagnostics --data`.
  public let folder: String
  private let life: ServerLife

  private init(_ address: ServerLife.Address, _ life: ServerLife) {
    (url, port, anonKey, serviceKey) = (address.url, address.port, address.anonKey, address.serviceKey)
    folder = address.folder
    self.life = life
  }

  /// Starts a server for the tables of a schema in SQL and for documents. `functions` has answers for functions of the schema
  /// that are not carried out. Throws what a declaration cannot have, with its place, or why the server does not start; then
  /// nothing is left behind.
  public static func start(
    tables: Declaration = "", functions: Declaration? = nil, documents: Declaration? = nil
  ) async throws(ServerFailure) -> LocalServer {
    let data = try DeclaredData(tables: tables, functions: functions, documents: documents)
    let life = ServerLife()
    return LocalServer(try await life.begin(data).get(), life)
  }

  /// Stops the server, and returns when its connections are closed and its folder is removed. Throws why the folder remains.
  public func stop() async throws(ServerFailure) {
    if let error = await life.end() { throw ServerFailure("\(error)") }
  }

  deinit { life.endLater() }
}
