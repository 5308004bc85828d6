import ZoneKitEventLoop
import Glibc
import Testing

@Suite struct SignalWatcherTests {
  @Test(arguments: SignalWatcher.Signal.allCases)
  func `a signal becomes a call on the loop and a turn`(signal: SignalWatcher.Signal) throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    let watcher = try SignalWatcher(signal, on: rig.loop) { log.append("\($0)") }
    rig.loop.onTurnEnd = {
      log.append("end")
      rig.loop.stop()
    }
    kill(getpid(), signal.rawValue)
    rig.run()
    #expect(log == ["\(signal)", "end"])
    watcher.close()
  }

  @Test func `the signals have the system's numbers`() {
    #expect(SignalWatcher.Signal.interrupt.rawValue == SIGINT)
    #expect(SignalWatcher.Signal.terminate.rawValue == SIGTERM)
  }

  @Test func `a watcher does not keep the loop running`() throws {
    let loop = try Loop()
    let watcher = try SignalWatcher(.terminate, on: loop) { _ in }
    loop.run()
    #expect(watcher.isOpen)
    loop.closeAll()
  }
}
