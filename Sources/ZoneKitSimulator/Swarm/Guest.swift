import ZoneKitDeviceHost
import ZoneKitScenarios

/// Two devices of a story with an app other than its own. They use the same cloud: its process, its disk, its turns and its
/// push service.
struct Guest {
  let app: DeviceApp
  let devices: [String]

  /// The devices of the story from that number on, counted from 0.
  init(_ app: DeviceApp, from number: Int) {
    self.app = app
    devices = [number, number + 1].map(SwarmDraw.name)
  }

  /// The devices as a scenario has them.
  var cast: [ScenarioDevice] {
    devices.map { ScenarioDevice($0, app: app.name, account: "user-of-\(app.name)") }
  }
}
