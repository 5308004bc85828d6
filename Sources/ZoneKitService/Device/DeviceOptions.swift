import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// The choices about a device that runs as a process.
package struct DeviceOptions {
  /// The device's name.
  package var name: String
  /// The world it belongs to.
  package var data: DataDirectory
  /// Where the cloud is.
  package var server: Address
  /// Where pushes come from.
  package var push: Address
  /// The account; nil keeps the one that the store knows, and takes `defaultUser` for a new store.
  package var user: Name?
  /// The app that the device runs.
  package var app: DeviceApp
  /// The name of the app that made stores without a mark, as earlier versions of this program left them.
  package var unmarkedApp: String
  /// The container's environment.
  package var environment = Environment.development
  /// The protocol in which the device asks the cloud.
  package var adapter: any ProtocolAdapter = CloudKitAdapter()
  /// Added to what the wall clock says, in milliseconds: how wrong this device's clock is.
  package var clockOffset: Int64 = 0
  /// By how many millionths the device's clock runs too fast; negative where it runs too slow.
  package var clockDrift: Int64 = 0
  /// Whether the device starts signed out, also where its store knows an account.
  package var isSignedOut = false
  /// Whether the device starts with its link down.
  package var startsOffline = false

  /// The account of a device where none is named.
  package static let defaultUser: Name = "nanny"

  /// The options of a device of that name.
  package init(
    name: String, data: DataDirectory, server: Address, push: Address, app: DeviceApp, unmarkedApp: String
  ) {
    self.name = name
    self.data = data
    self.server = server
    self.push = push
    self.app = app
    self.unmarkedApp = unmarkedApp
  }
}
