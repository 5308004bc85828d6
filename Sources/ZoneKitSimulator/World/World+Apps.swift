import ZoneKitDeviceHost
import ZoneKitRecords

/// Several apps on one cloud. Each account belongs to one of them, and each app has a container of its own.
extension World {
  /// The number of an app. Adds it if it is new.
  mutating func number(of app: DeviceApp) -> Int {
    if let known = apps.firstIndex(where: { $0.name == app.name }) { return known }
    apps.append(app)
    return apps.count - 1
  }

  /// The number of the app to which an account belongs.
  package func appNumber(of account: Name) -> Int { appOfAccount[account] ?? 0 }

  /// The app to which an account belongs; nil if there are no devices.
  func app(of account: Name) -> DeviceApp? { apps.isEmpty ? nil : apps[appNumber(of: account)] }

  /// Changes the checkers of the app to which an account belongs. Does nothing if there are no devices.
  mutating func check(_ account: Name, _ change: (inout AppCheckers) -> Void) {
    guard !apps.isEmpty else { return }
    change(&checkers.apps[appNumber(of: account)])
  }

  /// Changes the checkers of the app on a device.
  mutating func check(_ device: Int, _ change: (inout AppCheckers) -> Void) {
    change(&checkers.apps[devices[device].appNumber])
  }
}
