import ZoneKitMemoryStores
import ZoneKitPush
import ZoneKitRecords
import ZoneKitCloud
import ZoneKitDocumentServer

/// The cloud's process: the zone server and the push gateway over one disk.
package struct SimulatedCloud {
  /// The zone server. Its store is the cloud's disk.
  package var server: ZoneServer<MemoryZoneStore>
  /// The push service. After a restart it has only what the store contains.
  package internal(set) var gateway: PushGateway
  /// Whether the process is running.
  package internal(set) var isRunning = true
  /// How often the process was killed.
  package internal(set) var crashes = 0
  /// The part that serves tables; nil if no app of the simulation has tables.
  package internal(set) var tables: SimulatedTables?
  /// The parts that serve documents, by the names of their apps. They have what was read and asked since the process started.
  var documents: [String: DocumentServer] = [:]
  /// The faults of the cloud.
  package var faults = FaultPlan()
  /// The number of process starts.
  var life = 0
  var crash = CrashWatch()
  /// The requests of this turn.
  var turn: [Visited] = []
  private var lastTicket = 0
  /// When stored pushes are checked for expiry next.
  var expiryAt: MonotonicTime?
  /// All databases that were ever requested, in the order of their first request, to find the registrations after a
  /// restart.
  var databases: [DatabaseID] = []
  var generator: SplitMix64
  let policy: PushGateway.Policy

  /// A received request, and the faults that hit it.
  struct Visited {
    var ticket: Ticket
    var visit: World.CloudVisit
    var exchange: FaultyExchange?
    /// What the faults do to the request for documents that it is.
    var documents: FaultyDocumentExchange?
    /// Whether the device gets the answer of this application of the request.
    var isLast = true
  }

  init(limits: Limits, policy: PushGateway.Policy, seed: UInt64) {
    server = ZoneServer(store: MemoryZoneStore(), limits: limits)
    gateway = PushGateway(policy: policy)
    self.policy = policy
    generator = SplitMix64(seed: seed)
  }

  /// A ticket that no request had before.
  mutating func nextTicket() -> Ticket {
    lastTicket += 1
    return Ticket(lastTicket)
  }
}
