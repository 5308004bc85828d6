import Testing
import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

@testable import ZoneKitService

/// Two devices with the key-value app and a server on one loop, connected by real sockets.
@Suite struct KeyValueDeviceTests {
  private final class World {
    private let loop: Loop
    private let folder: String
    private let options: ServerOptions
    private let server: Server
    private let watchdog: Timer
    private var devices: [DeviceClient] = []

    init() throws {
      let loop = try Loop()
      self.loop = loop
      folder = try Folder.makeTemporary()
      let anyPort = Address.tcp(host: "127.0.0.1", port: 0)
      var options = ServerOptions(
        data: DataDirectory(folder), http: anyPort, push: anyPort, authentication: .open, version: "test")
      options.descriptors = 400
      options.speak(to: [KeyValueApp.app()])
      self.options = options
      server = try Server(options, on: loop)
      watchdog = Timer(on: loop) {
        Issue.record("nothing happened for 30 s")
        loop.stop()
      }
    }

    /// A device that runs and has synced once.
    func device(_ name: Name) throws -> DeviceClient {
      let device = try DeviceClient(
        DeviceOptions(
          name: name.text, data: options.data, server: server.http, push: server.pushAddress, app: KeyValueApp.app(),
          unmarkedApp: "none"),
        loop: loop)
      devices.append(device)
      try device.launch()
      run { device.coordinator.isIdle }
      return device
    }

    /// Runs until something holds after an event of a device.
    func run(until holds: @escaping () -> Bool) {
      guard !holds() else { return }
      for device in devices {
        device.onSettled = { [loop] in if holds() { loop.stop() } }
      }
      watchdog.schedule(after: 30_000)
      loop.run()
      watchdog.cancel()
      for device in devices { device.onSettled = nil }
    }

    /// Does what a command asks for, and returns when the cloud has it.
    func perform(_ line: String, on device: DeviceClient, sends: Bool = true) throws {
      try device.edit(try device.answer(to: line).edits)
      if sends { run { Self.isAllSent(device) } }
    }

    /// Asks the cloud what changed, and sends what waits.
    func sync(_ device: DeviceClient) {
      device.perform { $0.requestSyncIfNeeded(reason: .manual, at: $1, using: &$2) }
      run { Self.isAllSent(device) }
    }

    private static func isAllSent(_ device: DeviceClient) -> Bool {
      device.coordinator.isIdle && (try? device.coordinator.store.census().pending) == 0
    }

    func end() throws {
      for device in devices { device.close() }
      watchdog.close()
      server.close()
      #expect(loop.openHandles == 0)
      devices = []
      try Folder.remove(folder)
    }
  }

  private func value(_ key: String, on device: DeviceClient) throws -> String? {
    KeyValueApp.value(try device.coordinator.store.record(KeyValueApp.id(key))?.local)
  }

  @Test func `an edit and a deletion of one device arrive on the other`() throws {
    let world = try World()
    let (first, second) = (try world.device("A"), try world.device("B"))
    try world.perform("set milk two", on: first)
    #expect(try value("milk", on: second) == nil)
    world.sync(second)
    #expect(try value("milk", on: second) == "two")
    #expect(first.coordinator.deviceID != second.coordinator.deviceID)
    try world.perform("delete milk", on: second)
    world.sync(first)
    #expect(try value("milk", on: first) == nil)
    try world.end()
  }

  @Test func `edits that meet are merged by the app's policy, and both devices show the same`() throws {
    let world = try World()
    let (first, second) = (try world.device("A"), try world.device("B"))
    second.setLink(isOnline: false)
    try world.perform("set milk b", on: second, sends: false)
    try world.perform("set milk a", on: first)
    second.setLink(isOnline: true)
    world.sync(second)
    world.sync(first)
    #expect(try value("milk", on: first) == "b")
    #expect(try value("milk", on: second) == "b")
    #expect(try second.coordinator.store.conflicts(limit: 9).map(\.rule) == ["greatest"])
    try world.end()
  }
}
