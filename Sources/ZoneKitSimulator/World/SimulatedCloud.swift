import ZoneKitPush
import ZoneKitRecords
import ZoneKitCloud

/// The cloud's process: zone server and push gateway over one disk.
package struct SimulatedCloud {
  /// The zone server; its store is the cloud's disk.
  package var server: ZoneServer<MemoryZoneStore>
  /// The push service, which keeps nothing over a restart but what the store knows.
  package internal(set) var gateway: PushGateway
  /// Whether the process runs.
  package internal(set) var isRunning = true
  /// How often the process died.
  package internal(set) var crashes = 0
  /// Faults that the cloud commits.
  package var faults = FaultPlan()
  /// Counts the process's starts.
  var life = 0
  var crash = CrashWatch()
  /// The requests of this turn; a ticket's number is a place in it.
  var turn: [Visited] = []
  /// When stored pushes are looked at next.
  var expiryAt: MonotonicTime?
  /// Everybody who ever asked, to find the registrations again after a restart; in the order of their coming.
  var databases: [DatabaseID] = []
  var generator: SplitMix64
  let policy: PushGateway.Policy

  /// A request that the cloud took in, and what faults do to it.
  struct Visited {
    var visit: World.CloudVisit
    var exchange: FaultyExchange?
    /// Whether this is the application whose answer counts.
    var isLast = true
  }

  init(limits: Limits, policy: PushGateway.Policy, seed: UInt64) {
    server = ZoneServer(store: MemoryZoneStore(), limits: limits)
    gateway = PushGateway(policy: policy)
    self.policy = policy
    generator = SplitMix64(seed: seed)
  }
}
