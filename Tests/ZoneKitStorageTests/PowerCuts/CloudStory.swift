import Testing
import ZoneKitCloud
import ZoneKitRecords

@testable import ZoneKitStorage

/// A cloud over files, as the server runs it: requests and administration in turns, checkpoints, and restarts. Each is a
/// step, after which its success is reported.
struct CloudStory {
  /// A token that a device got in a step.
  struct GivenToken {
    let token: ChangeToken
    let database: DatabaseID
    /// The zone; nil for a token of the database.
    let zone: Name?
  }

  static let nanny = DatabaseID(container: "iCloud.a", environment: .development, user: "nanny", scope: .private)
  /// A name that is longer than a folder's may be, so that the folder needs a file with it.
  static let other = DatabaseID(
    container: "iCloud.a", environment: .development, user: Name(String(repeating: "grandmother", count: 12)),
    scope: .private)

  let root: String
  private(set) var server: ZoneServer<CloudFiles>
  /// The content after each step.
  private(set) var contents: [CloudContent] = []
  /// The tokens that were given out in each step.
  private(set) var tokens: [[GivenToken]] = []
  private let acknowledge: (Int) -> Void
  private var generator: SplitMix64
  private var now = WallTime(milliseconds: 1_700_000_000_000)
  private var lastTicket = 0

  /// The cloud in that folder. `acknowledge` is called with the number of each step whose success is reported.
  init(root: String, seed: UInt64 = 1, acknowledge: @escaping (Int) -> Void = { _ in }) throws {
    self.root = root
    self.acknowledge = acknowledge
    generator = SplitMix64(seed: seed)
    server = try Self.start(root, openZones: nil)
  }

  /// A server. If it has few files open, it commits some zones before the end of a turn. The thread that copies WAL
  /// pages is left out: `copyWAL` does the same at a certain moment.
  private static func start(_ root: String, openZones: Int?) throws -> ZoneServer<CloudFiles> {
    try Folder.make(root)
    let store = CloudFiles(
      root: root, access: .existing, durability: .full, openZoneLimit: openZones ?? CloudFiles.openZoneLimit,
      checkpointer: nil, reserve: openZones.map { FileReserve(size: CloudFiles.descriptors(openZoneLimit: $0)) })
    return ZoneServer(store: store)
  }

  // MARK: Asking

  /// Takes requests in, in one turn. Returns their answers in the order of the requests.
  mutating func answers(_ requests: [(CloudRequest, DatabaseID)]) -> [CloudResponse] {
    now = now.advanced(byMilliseconds: 1_000)
    for (request, database) in requests {
      lastTicket += 1
      server.receive(
        request, ticket: Ticket(lastTicket), in: database, from: Caller(user: database.user, deviceID: "d"), at: now,
        using: &generator)
    }
    return answers(after: lastTicket - requests.count)
  }

  private mutating func answers(after ticket: Int) -> [CloudResponse] {
    server.endTurn(using: &generator).compactMap {
      if case .answer(let answered, let response) = $0, answered.number > ticket { response } else { nil }
    }
  }

  /// The changes since a token: the zone's, or those of the database.
  mutating func changes(since given: GivenToken) -> CloudResponse {
    let request: CloudRequest =
      if let zone = given.zone {
        .fetchZoneChanges([ZoneChangesQuery(zoneID: ZoneID(zoneName: zone), token: given.token)])
      } else {
        .fetchDatabaseChanges(since: given.token, limit: 200)
      }
    return answers([(request, given.database)])[0]
  }

  // MARK: Steps

  /// A turn with those requests, all of which succeed.
  mutating func turn(_ requests: (CloudRequest, DatabaseID)...) throws {
    for answer in answers(requests) { #expect(answer.problem == nil) }
    try finishStep()
  }

  /// A turn with an administrator's operation.
  mutating func administer(_ operation: Administration, in database: DatabaseID = nanny) throws {
    now = now.advanced(byMilliseconds: 1_000)
    lastTicket += 1
    server.administer(
      operation, ticket: Ticket(lastTicket), in: database, from: Caller(user: database.user), at: now,
      using: &generator)
    for answer in answers(after: lastTicket - 1) { #expect(answer.problem == nil) }
    try finishStep()
  }

  /// Puts a zone file there that the first version wrote. The next step opens it.
  func putOldZone(_ name: Name, in database: DatabaseID) throws {
    let key = ZoneKey(database: database, zoneName: name)
    let paths = server.store.paths
    try paths.makeFolder(of: database)
    try Folder.make(paths.zonesFolder(of: database))
    try OldZoneFile.make(name, at: paths.file(of: key))
    try Folder.sync(paths.zonesFolder(of: database))
  }

  /// Copies the WAL of a zone into its file, on a connection of its own as the checkpoint thread does it.
  mutating func copyWAL(of zone: Name) throws {
    let path = server.store.paths.file(of: ZoneKey(database: Self.nanny, zoneName: zone))
    let queue = CheckpointQueue()
    var worker = CheckpointWorker(queue: queue)
    let file = try server.store.file(of: ZoneKey(database: Self.nanny, zoneName: zone))
    #expect(file?.connection.isInPlace() == true)
    _ = worker.perform(.checkpoint(path))
    #expect(queue.takeFailures() == [])
    _ = worker.perform(.close(path))
    try finishStep()
  }

  /// Empties the WAL of a zone, as the writer does it with a long one.
  mutating func emptyWAL(of zone: Name) throws {
    let file = try server.store.file(of: ZoneKey(database: Self.nanny, zoneName: zone))
    #expect(try file?.connection.checkpointWholly().pages == 0)
    try finishStep()
  }

  /// Ends the server and starts it again, with at most that many zone files open.
  mutating func restart(openZones: Int) throws {
    server.store.close()
    server = try Self.start(root, openZones: openZones)
    try finishStep()
  }

  private mutating func finishStep() throws {
    // The first token of a database gives it its identity.
    tokens.append(givenTokens(try CloudContent(of: server.store)))
    contents.append(try CloudContent(of: server.store))
    acknowledge(contents.count - 1)
  }

  /// New tokens of all databases and zones.
  private mutating func givenTokens(_ content: CloudContent) -> [GivenToken] {
    var given: [GivenToken] = []
    for id in content.databases.keys.sorted() {
      if case .databaseChanges(let changes) = answers([(.fetchDatabaseChanges(since: nil, limit: 200), id)])[0] {
        given.append(GivenToken(token: changes.token, database: id, zone: nil))
      }
      for key in content.zones.keys.sorted() where key.database == id {
        let query = ZoneChangesQuery(zoneID: ZoneID(zoneName: key.zoneName), token: nil)
        guard case .zoneChanges(let results) = answers([(.fetchZoneChanges([query]), id)])[0],
          case .changes(let changes) = results[0]
        else { continue }
        given.append(GivenToken(token: changes.token, database: id, zone: key.zoneName))
      }
    }
    return given
  }
}

extension CloudResponse {
  /// The first error in the response; nil if everything succeeded.
  var problem: CloudError? {
    switch self {
    case .failure(let error): error
    case .records(let results), .atomicFailure(let results): results.compactMap(\.error).first
    case .zones(let results): results.compactMap { if case .failed(_, let error) = $0 { error } else { nil } }.first
    case .zoneChanges(let results):
      results.compactMap { if case .failed(_, let error) = $0 { error } else { nil } }.first
    case .subscriptions(let results):
      results.compactMap { if case .failed(_, let error) = $0 { error } else { nil } }.first
    case .queries(let results):
      results.compactMap { if case .failed(let error) = $0 { error } else { nil } }.first
    case .shares(let results):
      results.compactMap { if case .failed(_, let error) = $0 { error } else { nil } }.first
    case .uploads, .assets, .databaseChanges, .pushToken, .users: nil
    }
  }
}
