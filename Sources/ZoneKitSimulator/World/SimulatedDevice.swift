import ZoneKitDeviceHost
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitPush
import ZoneKitSync
import ZoneKitTableClient

/// A simulated device: a process with the coordinator, a disk, a clock, and a connection to the push service.
package struct SimulatedDevice {
  /// The state of the connection to the push service, from the device's side.
  enum PushLine: Hashable {
    case closed
    /// The hello was sent or accepted.
    case open(PushGateway.ConnectionID)
    /// The connection was lost. The device will try again.
    case waiting
  }

  /// The name of the device.
  package let name: String
  /// The coordinator of the running process, or of the last one. Its store is the device's disk.
  package internal(set) var coordinator: SyncCoordinator<MemoryDeviceStore>
  /// The app on the device.
  package let app: DeviceApp
  /// The number of the app in the simulation.
  package internal(set) var appNumber = 0
  /// Whether the app's cloud is one of tables.
  let hasTables: Bool
  /// Whether the process is running.
  package internal(set) var isRunning = false { didSet { isComputing = isRunning && system.isRunning } }
  /// Whether the app computes and receives from the network: its process is running and not suspended.
  package private(set) var isComputing = false
  /// Whether the device has a link, as far as it knows.
  package internal(set) var isOnline = true
  /// The account that is signed in.
  package internal(set) var account: Name?
  /// The wall clock.
  package internal(set) var clock = DeviceClock()
  /// The time zone, a setting of the operating system: it survives the end of the process and the erasure of the app.
  package internal(set) var timeZone = TimeZoneRules.utc
  /// The counters of the device.
  package internal(set) var counters = DeviceCounters()
  /// The number of process starts. Messages for an earlier process are lost.
  var life = 0
  /// The operating system, between the push service and the app.
  package internal(set) var system: DeviceLife { didSet { isComputing = isRunning && system.isRunning } }
  /// The answers that arrived while the app was suspended.
  var mailbox: [(ReadAhead.Exchange, Result<CloudResponse, CloudError>)] = []
  /// The coordinator's requests on their way.
  var requests = ReadAhead()
  /// The coordinator's effects that were not carried out yet.
  var effects: [Effect] = []
  var isCarryingOut = false
  /// When the operating system has something to do next; nil if nothing is due.
  var systemTickAt: MonotonicTime?
  var generator: SplitMix64
  var crash = CrashWatch()
  /// The time until a commit is durable, in milliseconds; nil if every commit is durable immediately.
  var diskDelay: Int64?
  /// When the running sync of the disk ends; nil if none is running.
  var diskSyncAt: MonotonicTime?
  /// Whether the app requests a sync when it is notified of the next changes.
  var syncsInsideMerge = false
  var pushLine = PushLine.closed
  var pushPace = ReconnectPace()
  /// The link to the tables of the cloud; nil if the app has none, or the process does not run.
  var link: TableLink?
  /// The account of tables to which the user signs in until that succeeds, and again when the session is lost; nil if the
  /// user does not do that.
  var wantedAccount: Name?
  /// The request that the link asks the tables; nil for none.
  var linkExchange: ReadAhead.Exchange?
  /// The open socket of the link; nil if there is none.
  var socket: World.Socket?
  /// The photos; nil if the app has none.
  var photos: SimulatedPhotos?
  /// The messages for the link that arrived while the app was suspended.
  var tableMailbox: [TableMessage] = []
  /// The link's effects that were not carried out yet.
  var linkEffects: [TableLink.Effect] = []
  var isCarryingOutLink = false
  /// When the link's next tick is scheduled; nil for none.
  var linkTickAt: MonotonicTime?
  /// When the next tick is scheduled; nil for none.
  var tickAt: MonotonicTime?

  /// The device's disk.
  package var store: MemoryDeviceStore { coordinator.store }

  /// Whether the next write to the disk succeeds.
  var isDiskSound: Bool { store.faults.isEmpty && !store.isFull }

  init(name: String, app: DeviceApp, account: Name?, policy: DeviceLife.Policy, seed: UInt64) throws(StoreError) {
    self.name = name
    self.app = app
    hasTables = app.hasTables
    photos = SimulatedPhotos(app)
    self.account = account
    system = DeviceLife(policy: policy)
    generator = SplitMix64(seed: seed)
    coordinator = try SyncCoordinator(store: MemoryDeviceStore(), configuration: app.simulatedConfiguration)
  }
}
