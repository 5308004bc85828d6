import Glibc
import Testing
import ZoneKitEventLoop

@Suite struct `background work` {
  @Test func `runs on another thread and ends in a turn of the loop`() throws {
    let rig = try Rig()
    let here = pthread_self()
    var log: [String] = []
    rig.loop.onTurnEnd = { log.append("turn") }
    BackgroundWork.run(on: rig.loop, { pthread_equal(pthread_self(), here) == 0 }) { isElsewhere in
      log.append("\(isElsewhere) \(pthread_equal(pthread_self(), here) != 0)")
      rig.loop.stop()
    }
    rig.run()
    #expect(log == ["true true", "turn"])
    rig.end()
  }

  @Test func `does not hold the loop up`() throws {
    let rig = try Rig()
    var pipe: [Int32] = [0, 0]
    let status = Glibc.pipe(&pipe)
    #expect(status == 0)
    let (input, output) = (pipe[0], pipe[1])
    var log: [String] = []
    // The work ends only after the loop has run a timer meanwhile.
    BackgroundWork.run(
      on: rig.loop,
      {
        var byte: UInt8 = 0
        return Glibc.read(input, &byte, 1)
      }
    ) { count in
      log.append("work \(count)")
      rig.loop.stop()
    }
    let timer = Timer(on: rig.loop) {
      log.append("timer")
      var byte: UInt8 = 1
      _ = Glibc.write(output, &byte, 1)
    }
    timer.schedule(after: 1)
    rig.run()
    #expect(log == ["timer", "work 1"])
    for descriptor in pipe { close(descriptor) }
    rig.end()
  }

  @Test func `is awaited when everything is closed`() throws {
    let rig = try Rig()
    var isFinished = false
    BackgroundWork.run(on: rig.loop, { 1 }) { _ in isFinished = true }
    rig.end()
    #expect(isFinished)
  }
}
