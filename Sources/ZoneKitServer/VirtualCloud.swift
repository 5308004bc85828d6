import ZoneKitThreads

/// The server in virtual time, for tests of clients that let a test send their requests.
///
/// Requests go through the readers, rules and writers of the real server, with its stores in memory. Nothing waits: a delay moves the virtual clock. The
/// same requests with the same seed get the same answers, identifiers and tokens included.
public final class VirtualCloud: Sendable {
  /// The key of apps, which is that of Supabase's `anon` role.
  public let anonKey: String
  /// The key of the server's owner, which sees the rows of all accounts.
  public let serviceKey: String
  let run: Lock<VirtualRun>

  /// A cloud with the tables of a schema in SQL and with documents. `functions` has answers for functions of the schema that
  /// are not carried out. Throws what a declaration cannot have, with its place.
  public init(
    tables: Declaration = "", functions: Declaration? = nil, documents: Declaration? = nil, seed: UInt64 = 1
  ) throws(ServerFailure) {
    let data = try DeclaredData(tables: tables, functions: functions, documents: documents)
    let run = try VirtualRun(data, seed: seed)
    (anonKey, serviceKey) = (run.anonymousKey, run.serviceKey)
    self.run = Lock(run)
  }

  // MARK: Requests

  /// Sends a request and returns its answer. The request before it is answered first. Throws if a fault takes the answer.
  public func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
  ) throws(NoAnswer) -> Response {
    try run.withLock { (run) throws(NoAnswer) in try run.send(method, path, headers, body) }
  }

  /// Sends the requests of a client.
  public var transport: Transport {
    { method, path, headers, body in
      let answer = try self.send(method, path, headers: headers, body: body)
      return (answer.status, answer.headers, answer.body)
    }
  }

  // MARK: Time

  /// The virtual time since the start, which is at 2027-01-15T08:00:00Z.
  public var elapsed: Duration { run.withLock { .milliseconds($0.clock.milliseconds) } }

  /// Lets that time pass, in which tokens end.
  public func advance(by duration: Duration) { run.withLock { $0.advance(by: duration) } }
}
