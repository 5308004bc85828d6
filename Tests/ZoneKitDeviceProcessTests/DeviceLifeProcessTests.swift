import Testing
import ZoneKitDeviceHost
import ZoneKitDeviceProcess
import ZoneKitMemoryStores
import ZoneKitRecords
import ZoneKitSwissCoin
import ZoneKitSync

@Suite struct `the operating system around the process of a device` {
  private typealias Process = DeviceProcess<MemoryDeviceStore, SplitMix64>

  private var process: Process
  private var milliseconds: Int64 = 0

  init() throws {
    let app = DeviceApp.swissCoin
    process = try Process(
      app: app, store: MemoryDeviceStore(), configuration: app.configuration, generator: SplitMix64(seed: 1),
      life: DeviceLife())
  }

  private var moment: Moment {
    Moment(
      wall: WallTime(milliseconds: 1_800_000_000_000 + milliseconds),
      monotonic: MonotonicTime(milliseconds: milliseconds))
  }

  /// Carries out what the process asks for, and returns what its system does, in words.
  private mutating func deeds() throws -> [String] {
    var deeds: [String] = []
    while process.depth > 0 {
      switch process.next(at: moment) {
      case .launch:
        try process.open()
        try process.start(account: nil, at: moment.monotonic)
        deeds.append("launch")
      case .edit(let edit): try process.edit(edit.edits, setting: edit.values, at: moment)
      case .receivesPush: deeds.append("push")
      case .resumed(let messages): deeds.append("resume with \(messages.count)")
      case .life(.run): deeds.append("run")
      case .life(.suspend): deeds.append("suspend")
      case .life(.hold(_, let reason)): deeds.append("hold: \(reason.rawValue)")
      case .life(.discard(_, let reason)): deeds.append("discard: \(reason.rawValue)")
      case .backgroundRefresh(let effect): deeds.append("refresh \(effect)")
      default: break
      }
    }
    return deeds
  }

  private mutating func after(_ milliseconds: Int64) throws -> [String] {
    self.milliseconds += milliseconds
    process.tick(at: moment.monotonic)
    return try deeds()
  }

  private mutating func push() throws -> [String] {
    process.pushArrived(PushNotification(subject: .database, notificationID: "n"), at: moment.monotonic)
    return try deeds()
  }

  private mutating func open() throws -> [String] {
    process.enteredForeground(at: moment.monotonic)
    return try deeds()
  }

  private mutating func leave() throws -> [String] {
    process.enteredBackground(at: moment.monotonic)
    return try deeds()
  }

  @Test mutating func `a push starts an app in the background, which is suspended half a minute later`() throws {
    #expect(try push() == ["launch", "run", "push"])
    #expect(process.isComputing)
    // Later than that nothing would suspend it.
    #expect(process.nextDeadline.map { $0 <= MonotonicTime(milliseconds: 30_000) } == true)
    #expect(try after(30_000) == ["suspend"])
    #expect(!process.isComputing)
  }

  @Test mutating func `a push that waits is passed to the app that its user opens`() throws {
    process.lowPowerChanged(isOn: true, at: moment.monotonic)
    #expect(try push() == ["hold: low power"])
    #expect(try open() == ["launch", "push"])
  }

  @Test mutating func `a suspended app gets what arrived before it gets a push`() throws {
    _ = try open()
    _ = try leave()
    #expect(try after(30_000) == ["suspend"])
    #expect(process.arrived(.linkChanged(isOnline: false)) == nil)
    #expect(try push() == ["resume with 1", "run", "push"])
  }

  @Test mutating func `an app that is force-quit gets no push and no background refresh`() throws {
    _ = try open()
    #expect(try leave() == ["run", "refresh asked"])
    process.forceQuit(at: moment.monotonic)
    #expect(try deeds() == [])
    #expect(try push() == ["discard: force-quit"])
    #expect(try after(BackgroundRefresh.interval) == ["refresh asked", "refresh begin"])
    #expect(!process.isRunning)
  }

  @Test mutating func `a background refresh runs a suspended app, and starts one whose process crashed`() throws {
    _ = try open()
    _ = try leave()
    _ = try after(30_000)
    #expect(try after(BackgroundRefresh.interval) == ["refresh asked", "refresh begin", "resume with 0", "run"])
    #expect(try after(30_000) == ["suspend"])
    process.crashed(at: moment.monotonic)
    #expect(try deeds() == [])
    #expect(try after(BackgroundRefresh.interval) == ["refresh asked", "refresh begin", "launch", "run"])
    #expect(process.isComputing)
  }
}
