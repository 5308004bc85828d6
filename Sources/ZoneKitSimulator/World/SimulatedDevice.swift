import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitPush
import ZoneKitSync

/// One device of a world: its process with the coordinator, its disk, its clock and its connection to the push service.
package struct SimulatedDevice {
  /// The connection to the push service, as the device sees it.
  enum PushLine: Hashable {
    case closed
    /// The hello is under way, or was taken.
    case open(PushGateway.ConnectionID)
    /// It was cut off; the device tries again.
    case waiting
  }

  /// What it is called.
  package let name: String
  /// The coordinator of the process that runs, or the last one; its store is the device's disk.
  package internal(set) var coordinator: SyncCoordinator<MemoryDeviceStore>
  /// The app on it.
  package let app: DeviceApp
  /// Whether its process runs.
  package internal(set) var isRunning = false
  /// Whether it has a link, as far as it knows.
  package internal(set) var isOnline = true
  /// Who is signed in.
  package internal(set) var account: Name?
  /// Its wall clock.
  package internal(set) var clock = DeviceClock()
  /// What happened to it, in numbers.
  package internal(set) var counters = DeviceCounters()
  /// Counts the process's starts: what was meant for an earlier one is lost.
  var life = 0
  /// Its operating system, between the push service and the app.
  package internal(set) var system: DeviceLife
  /// Answers that came while the app was suspended.
  var mailbox: [(RequestID, Result<CloudResponse, CloudError>)] = []
  /// What its coordinator asked for and was not done yet.
  var effects: [Effect] = []
  var isCarryingOut = false
  /// When its system is looked at; nil where nothing is due.
  var systemTickAt: MonotonicTime?
  var generator: SplitMix64
  var crash = CrashWatch()
  /// How long the disk takes to make commits durable, in milliseconds; nil where each is durable at once.
  var diskDelay: Int64?
  /// When the disk's next sync ends; nil where none is under way.
  var diskSyncAt: MonotonicTime?
  /// Whether the app asks for a sync while it is told of the next changes.
  var syncsInsideMerge = false
  var pushLine = PushLine.closed
  var pushPace = ReconnectPace()
  /// When its tick is scheduled; nil where none is.
  var tickAt: MonotonicTime?

  /// Whether the app computes and hears from the network: its process runs and is not suspended.
  package var isComputing: Bool { isRunning && system.isRunning }

  /// The device's disk.
  package var store: MemoryDeviceStore { coordinator.store }

  /// Whether the disk takes the next write in.
  var isDiskSound: Bool { store.faults.isEmpty && !store.isFull }

  init(name: String, app: DeviceApp, account: Name?, policy: DeviceLife.Policy, seed: UInt64) throws(StoreError) {
    self.name = name
    self.app = app
    self.account = account
    system = DeviceLife(policy: policy)
    generator = SplitMix64(seed: seed)
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: app.simulatedConfiguration)
  }
}
