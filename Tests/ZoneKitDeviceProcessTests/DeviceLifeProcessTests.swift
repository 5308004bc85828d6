import Testing
import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync

@Suite struct `the operating system around the process of a device` {
  private var device: TestDevice

  init() throws { device = try TestDevice() }

  /// What the device's system does until the process has nothing to do, in words.
  private mutating func deeds() throws -> [String] {
    try device.effects().compactMap { effect in
      switch effect {
      case .launch: "launch"
      case .receivesPush: "push"
      case .resumed(let messages): "resume with \(messages.count)"
      case .life(.run): "run"
      case .life(.suspend): "suspend"
      case .life(.hold(_, let reason)): "hold: \(reason.rawValue)"
      case .life(.discard(_, let reason)): "discard: \(reason.rawValue)"
      case .backgroundRefresh(let effect): "refresh \(effect)"
      default: nil
      }
    }
  }

  private mutating func after(_ milliseconds: Int64) throws -> [String] {
    device.milliseconds += milliseconds
    device.process.tick(at: device.now)
    return try deeds()
  }

  private mutating func push() throws -> [String] {
    device.process.pushArrived(PushNotification(subject: .database, notificationID: "n"), at: device.now)
    return try deeds()
  }

  private mutating func open() throws -> [String] {
    device.process.enteredForeground(at: device.now)
    return try deeds()
  }

  private mutating func leave() throws -> [String] {
    device.process.enteredBackground(at: device.now)
    return try deeds()
  }

  @Test mutating func `a push starts an app in the background, which is suspended half a minute later`() throws {
    #expect(try push() == ["launch", "run", "push"])
    #expect(device.process.isComputing)
    // Later than that nothing would suspend it.
    #expect(device.process.nextDeadline.map { $0 <= MonotonicTime(milliseconds: 30_000) } == true)
    #expect(try after(30_000) == ["suspend"])
    #expect(!device.process.isComputing)
  }

  @Test mutating func `a push that waits is passed to the app that its user opens`() throws {
    device.process.lowPowerChanged(isOn: true, at: device.now)
    #expect(try push() == ["hold: low power"])
    #expect(try open() == ["launch", "push"])
  }

  @Test mutating func `a suspended app gets what arrived before it gets a push`() throws {
    _ = try open()
    _ = try leave()
    #expect(try after(30_000) == ["suspend"])
    #expect(device.process.arrived(.linkChanged(isOnline: false)) == nil)
    #expect(try push() == ["resume with 1", "run", "push"])
  }

  @Test mutating func `an app that is force-quit gets no push and no background refresh`() throws {
    _ = try open()
    #expect(try leave() == ["run", "refresh asked"])
    device.process.forceQuit(at: device.now)
    #expect(try deeds() == [])
    #expect(try push() == ["discard: force-quit"])
    #expect(try after(BackgroundRefresh.interval) == ["refresh asked", "refresh begin"])
    #expect(!device.process.isRunning)
  }

  @Test mutating func `a background refresh runs a suspended app, and starts one whose process crashed`() throws {
    _ = try open()
    _ = try leave()
    _ = try after(30_000)
    #expect(try after(BackgroundRefresh.interval) == ["refresh asked", "refresh begin", "resume with 0", "run"])
    #expect(try after(30_000) == ["suspend"])
    device.process.crashed(at: device.now)
    #expect(try deeds() == [])
    #expect(try after(BackgroundRefresh.interval) == ["refresh asked", "refresh begin", "launch", "run"])
    #expect(device.process.isComputing)
  }
}
