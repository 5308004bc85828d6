import ZoneKitCatalogue
import ZoneKitCloud
import ZoneKitCloudProcess
import ZoneKitMemoryStores
import ZoneKitPush
import ZoneKitRecords
import ZoneKitRelationServer
import ZoneKitTableServer
import ZoneKitTables

/// The cloud: its process over one disk, and what the simulation knows of the requests in it.
package struct SimulatedCloud {
  /// The process. The store of its zones is the cloud's disk. Nothing reaches a process that is not running.
  package var process: CloudProcess<MemoryZoneStore, MemoryAccountStore>
  /// Whether the process is running.
  package internal(set) var isRunning = true
  /// How often the process was killed.
  package internal(set) var crashes = 0
  /// What is known of the tables; nil if no app of the simulation has tables.
  package internal(set) var tables: SimulatedTables?
  /// The number of process starts.
  var life = 0
  var crash = CrashWatch()
  /// The requests whose replies come with the commit of this turn. The connections of those that are left when the process
  /// dies are reset.
  var turn: [Ticket: World.CloudVisit] = [:]
  /// When stored pushes are checked for expiry next.
  var expiryAt: MonotonicTime?
  /// All databases that were ever requested, in the order of their first request.
  var databases: [DatabaseID] = []
  var generator: SplitMix64

  init(limits: Limits, policy: PushGateway.Policy, seed: UInt64) {
    process = CloudProcess(store: MemoryZoneStore(), limits: limits, policy: policy)
    generator = SplitMix64(seed: seed)
  }

  /// Serves the tables of that app, over a store without accounts.
  mutating func serve(_ app: TableApp) {
    tables = SimulatedTables(app)
    process.tables = CloudTables(of: app, store: MemoryAccountStore(), limits: Self.accountLimits)
  }

  /// Serves the tables of a schema of a user's own, with its first rows and without accounts. Throws why those rows cannot be
  /// made; then nothing is served.
  mutating func serve(_ schema: PreparedSchema, at now: WallTime) throws(SchemaRefusal) {
    let relations = try CloudRelations(schema, making: MemoryRelationStore(), at: now, using: &generator)
    serve(.own(schema.catalogue.clientTables))
    process.tables?.relations = relations
  }

  /// The users of a simulation sign in as often as they like.
  private static var accountLimits: AccountLimits { AccountLimits(signIns: .max) }

  /// The names of the faults with those IDs.
  func names(of hits: [Int]) -> String {
    process.faults.entries.filter { hits.contains($0.id) }.map(\.fault.name).joined(separator: ", ")
  }

  /// Ends the process. Returns the requests without an answer, in the order of their arrival.
  mutating func die() -> [World.CloudVisit] {
    isRunning = false
    crashes += 1
    life += 1
    crash.set(nil)
    process.zones.store.crash()
    process.tables?.store.crash()
    process.tables?.relations?.restart()
    defer { turn = [:] }
    return turn.sorted { $0.key.number < $1.key.number }.map(\.value)
  }

  /// Starts a process over the content of the disk. The faults are those of the simulation and outlive it.
  mutating func open(at now: Moment) -> [PushGateway.Effect] {
    isRunning = true
    let ended = process
    let tables = ended.tables.map { ended in
      var tables = CloudTables(of: ended.app, store: ended.store, limits: Self.accountLimits)
      tables.rows.limits = ended.rows.limits
      tables.relations = ended.relations
      return tables
    }
    process = CloudProcess(
      store: ended.zones.store, limits: ended.zones.limits, policy: ended.gateway.policy, tables: tables)
    process.faults = ended.faults
    // If the disk cannot be read, there are no registrations. The devices' hellos are then refused, and they register
    // again.
    return (try? process.restoreRegistrations(at: now)) ?? []
  }
}
