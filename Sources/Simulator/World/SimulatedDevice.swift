import Records
import PushGateway
import SyncCoordinator

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
  package let app: SimulatedApp
  /// Whether its process runs.
  package internal(set) var isRunning = false
  /// Whether it has a link, as far as it knows.
  package internal(set) var isOnline = true
  /// Who is signed in.
  package internal(set) var account: Name?
  /// Its wall clock.
  package internal(set) var clock = DeviceClock()
  /// What happened to it, in numbers.
  package internal(set) var tally = DeviceTally()
  /// Counts the process's starts: what was meant for an earlier one is lost.
  var life = 0
  /// Its operating system, between the push service and the app.
  package internal(set) var system: DeviceLife
  /// Answers that came while the app was suspended.
  var mailbox: [(RequestID, Result<CloudResponse, CloudError>)] = []
  /// When its system is looked at; nil where nothing is due.
  var systemTickAt: MonotonicTime?
  var generator: SplitMix64
  var crash = CrashWatch()
  var pushLine = PushLine.closed
  var pushWait: Int64 = PushTiming.firstWait
  /// When its tick is scheduled; nil where none is.
  var tickAt: MonotonicTime?

  /// Whether the app computes and hears from the network: its process runs and is not suspended.
  package var isComputing: Bool { isRunning && system.isRunning }

  /// The device's disk.
  package var store: MemoryDeviceStore { coordinator.store }

  init(name: String, app: SimulatedApp, account: Name?, policy: DeviceLife.Policy, seed: UInt64) throws(StoreError) {
    self.name = name
    self.app = app
    self.account = account
    system = DeviceLife(policy: policy)
    generator = SplitMix64(seed: seed)
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: app.configuration)
  }
}

/// How a device comes back to the push service, in milliseconds: as the real one does.
enum PushTiming {
  static let firstWait: Int64 = 100
  static let longestWait: Int64 = 5_000
}

/// What happened to a device, in numbers.
package struct DeviceTally: Hashable, Sendable {
  /// Requests sent, all kinds.
  package internal(set) var requests = 0
  /// Requests that asked a feed of the database or of a zone.
  package internal(set) var fetches = 0
  /// Requests that wrote records.
  package internal(set) var writes = 0
  /// Pushes that were handed to the app.
  package internal(set) var pushes = 0
  /// When the last request was sent.
  package internal(set) var lastRequestAt: MonotonicTime?
  /// How often the process died.
  package internal(set) var crashes = 0
  /// Syncs that were started.
  package internal(set) var syncs = 0
}

extension DeviceTally {
  /// Counts a request.
  mutating func count(_ request: CloudRequest, at now: MonotonicTime) {
    requests += 1
    lastRequestAt = now
    if request.isFetch { fetches += 1 }
    if request.isWrite { writes += 1 }
  }
}
