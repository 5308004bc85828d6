import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitTables
import ZoneKitWire

/// The options of a device that runs as a process.
package struct DeviceOptions {
  /// The device's name.
  package var name: String
  /// The data directory of the device.
  package var data: DataDirectory
  /// The server's address for requests.
  package var server: Address
  /// Whether a server was named, or has run in the data directory.
  package var knowsServer = true
  /// The server's address for pushes.
  package var push: Address
  /// The account. If nil, the account in the store is used, or `defaultUser` for a new store.
  package var user: Name?
  /// The app on the device.
  package var app: DeviceApp
  /// The name of the app that made stores that name none, as earlier versions of this program wrote them.
  package var unmarkedApp: String
  /// The container's environment.
  package var environment = Environment.development
  /// The offset of the device's wall clock from the machine's, in milliseconds.
  package var clockOffset: Int64 = 0
  /// The drift of the device's wall clock in parts per million; negative if it runs slow.
  package var clockDrift: Int64 = 0
  /// The device's time zone.
  package var timeZone = TimeZoneRules.utc
  /// Whether the device starts signed out, even if its store names an account.
  package var isSignedOut = false
  /// Whether the device starts offline.
  package var startsOffline = false
  /// Whether the device has an operating system that can hold pushes back and suspend the app.
  package var hasLife = false

  /// The API token of the app and the web token of the account, for a strict server; nil for those that open ones take.
  package var apiToken: String?, webAuthToken: String?

  /// The key of the app for a table server. It is asked for at each request, because a server that starts later makes
  /// it.
  package var tableKey: () -> String = { "" }
  /// The version of messages on a table server's realtime socket.
  package var channelVersion = ChannelVersion.second

  /// A protocol with the tokens of these options.
  func signed(_ adapter: any ProtocolAdapter) -> any ProtocolAdapter {
    guard var signed = adapter as? CloudKitAdapter else { return adapter }
    signed.apiToken = apiToken ?? signed.apiToken
    signed.webAuthToken = webAuthToken
    return signed
  }

  /// The account of a new device if the options name none.
  package static let defaultUser: Name = "nanny"

  /// The options of a device with that name.
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
