import ZoneKitDeviceHost
import ZoneKitEventLoop
import ZoneKitLineEditor
import ZoneKitService
import ZoneKitStorage

/// The run of a device by its process: one session after another, each with the store that is there.
struct DeviceRun {
  /// The options of the next session.
  private(set) var options: DeviceOptions
  /// The commands for the next session, and whether no more follow.
  private var rest: (commands: [String], isEnd: Bool)
  private let linger: Int64
  private let isEager: Bool
  /// The clock of the last session; nil before the first one.
  private var clock: SystemClock?
  /// What was not sent at the end; nil before that.
  private(set) var outcome: DeviceEnding.Outcome?
  /// The exit code of commands, and that of a device whose user sees what fails.
  private(set) var (exitCode, endCode): (Int32, Int32) = (0, 0)

  /// A run that begins with those commands.
  init(options: DeviceOptions, rest: (commands: [String], isEnd: Bool), linger: Int64, isEager: Bool) {
    (self.options, self.rest, self.linger, self.isEager) = (options, rest, linger, isEager)
  }

  /// Runs a session to its end. Commands are read from standard input if there is an `input`, with the editor of its prompt.
  /// Returns true if another session is to follow, because the state of the data directory is replaced.
  mutating func run(
    on loop: Loop, _ printer: DevicePrinter, input: LineEditor??
  ) throws(ServiceError) -> Bool {
    let client = try clock == nil ? DeviceClient(options, loop: loop) : reopened(on: loop)
    if let clock { client.clock = clock }
    let session = DeviceSession(client, printer: printer, loop: loop, linger: linger, isEager: isEager)
    try Self.watchSignals(loop) { session.interrupt() }
    try session.launch()
    for command in rest.commands { session.submit(command) }
    if rest.isEnd { session.end() }
    if let editor = input {
      try DeviceInput.read(into: session, editor: editor, loop: loop)
      printer.prompt()
    }
    loop.run()
    // The input ends when it is closed, too.
    rest = session.rest
    client.close()
    loop.closeAll()
    outcome = session.outcome
    (exitCode, endCode) = (max(exitCode, session.exitCode), max(endCode, session.endCode))
    (options, clock) = (client.present, client.clock)
    return session.standsAside
  }

  /// The device with the store that is there when nobody replaces the state any more. Throws if it has none.
  private func reopened(on loop: Loop) throws(ServiceError) -> DeviceClient {
    let (data, name) = (options.data, options.name)
    while !StandingAside.wait(until: { !StandingAside.isWanted(in: data) }) {}
    var failure = ServiceError("device \(name) is not in the state that was restored")
    var client: DeviceClient?
    // An interrupted restore is finished by one of the processes, and the others wait for it.
    _ = StandingAside.wait {
      guard ((try? data.deviceNames()) ?? []).contains(name) else { return true }
      do throws(ServiceError) { client = try DeviceClient(options, loop: loop) } catch { failure = error }
      return client != nil
    }
    guard let client else { throw failure }
    return client
  }

  private static func watchSignals(_ loop: Loop, onSignal: @escaping () -> Void) throws(ServiceError) {
    do throws(LoopError) {
      for signal in SignalWatcher.Signal.allCases {
        _ = try SignalWatcher(signal, on: loop) { _ in onSignal() }
      }
    } catch {
      throw ServiceError(error)
    }
  }
}
