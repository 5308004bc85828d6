import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitPush
import ZoneKitSync
import ZoneKitTableClient

/// A simulated device: the process of its app, a disk, a clock, and a connection to the push service.
package struct SimulatedDevice {
  /// The name of the device.
  package let name: String
  /// The process of the app. Its store is the device's disk.
  package internal(set) var process: Process
  /// The number of the app in the simulation.
  package internal(set) var appNumber = 0
  /// Whether the app's cloud is one of tables.
  let hasTables: Bool
  /// The account that is signed in.
  package internal(set) var account: Name?
  /// The wall clock.
  package internal(set) var clock = DeviceClock()
  /// The counters of the device.
  package internal(set) var counters = DeviceCounters()
  /// The name of the effect of the coordinator that is being carried out, in crash points; nil for none.
  var effect: String?
  var crash = CrashWatch()
  /// The time until a commit is durable, in milliseconds; nil if every commit is durable immediately.
  var diskDelay: Int64?
  /// When the running sync of the disk ends; nil if none is running.
  var diskSyncAt: MonotonicTime?
  /// Whether the app requests a sync when it is notified of the next changes.
  var syncsInsideMerge = false
  /// The connection to the push service, from the device's side; nil if there is none.
  var pushConnection: PushGateway.ConnectionID?
  /// The backup before the last migration; nil for none.
  var backup: SimulatedBackup?
  /// The account of tables to which the user signs in until that succeeds, and again when the session is lost; nil if the
  /// user does not do that.
  var wantedAccount: Name?
  /// The open socket of the link; nil if there is none.
  var socket: World.Socket?
  /// When the next tick is scheduled; nil for none.
  var tickAt: MonotonicTime?

  /// The app on the device.
  package var app: DeviceApp { process.app }
  /// The coordinator of the running process, or of the last one.
  package internal(set) var coordinator: SyncCoordinator<MemoryDeviceStore> {
    _read { yield process.coordinator }
    _modify { yield &process.coordinator }
  }
  /// The link to the tables of the cloud; nil if the app has none, or the process does not run.
  var link: TableLink? { process.link }
  /// Whether the process is running.
  package var isRunning: Bool { process.isRunning }
  /// The number of starts and ends of the process. Messages for an earlier process are lost.
  var life: Int { process.processNumber }
  /// Whether the device has a link.
  package var isOnline: Bool { process.hasLink }
  /// Whether the app computes and receives from the network: its process is running and not suspended.
  package var isComputing: Bool { process.isComputing }
  /// The time zone, a setting of the operating system: it survives the end of the process and the erasure of the app.
  package internal(set) var timeZone: TimeZoneRules {
    get { process.timeZone }
    set { process.timeZone = newValue }
  }
  /// The device's disk.
  package var store: MemoryDeviceStore { process.coordinator.store }

  /// Whether the next write to the disk succeeds.
  var isDiskSound: Bool { store.faults.isEmpty && !store.isFull }

  init(
    name: String, app: DeviceApp, account: Name?, disk: MemoryDeviceStore, policy: DeviceLife.Policy, seed: UInt64
  ) throws(StoreError) {
    self.name = name
    hasTables = app.hasTables
    self.account = account
    process = try DeviceProcess(
      app: app, store: disk, configuration: app.simulatedConfiguration,
      generator: SplitMix64(seed: seed), life: DeviceLife(policy: policy))
  }
}
