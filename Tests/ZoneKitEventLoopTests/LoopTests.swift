import Glibc
import ZoneKitEventLoop
import Testing
import ZoneKitThreads

@Suite struct LoopTests {
  @Test func `what two connections sent before the loop slept is one turn`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    var accepted = 0
    let listener = try rig.listen { connection in
      accepted += 1
      log.append("accept")
      connection.onRead = { log.append(String(decoding: $0, as: UTF8.self)) }
    }
    rig.loop.onTurnEnd = {
      log.append("end")
      if log.count > 4 { rig.loop.stop() }
    }
    let clients = [RawSocket(to: listener.address), RawSocket(to: listener.address)]
    for client in clients { client.send("read") }
    rig.run()
    #expect(log == ["accept", "accept", "end", "read", "read", "end"])
  }

  @Test func `the turn of a timer ends before the loop sleeps again`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    let start = rig.loop.now
    let first = Timer(on: rig.loop) { log.append("first") }
    let far = Timer(on: rig.loop) { log.append("far") }
    rig.loop.onTurnEnd = {
      log.append("end")
      rig.loop.stop()
    }
    first.schedule(after: 1)
    far.schedule(after: 5_000)
    rig.run()
    #expect(log == ["first", "end"])
    #expect(rig.loop.now - start < 5_000, "the turn end waited for the far timer")
  }

  @Test func `two timers of the same time share a turn`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    let time = rig.loop.now + 5
    for name in ["a", "b"] {
      Timer(on: rig.loop) {
        log.append(name)
        if log.count == 2 { rig.loop.stop() }
      }.schedule(at: time)
    }
    rig.loop.onTurnEnd = { log.append("end") }
    rig.run()
    #expect(log == ["a", "b", "end"])
  }

  @Test func `the turn of a close callback ends before the loop sleeps again`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    let connection = Connection(to: .unix(path: "/nonexistent/socket"), on: rig.loop)
    connection.onClose = { _ in log.append("closed") }
    let start = rig.loop.now
    let far = Timer(on: rig.loop) { log.append("far") }
    connection.close()
    rig.loop.onTurnEnd = {
      log.append("end")
      if log.contains("closed") { rig.loop.stop() }
    }
    far.schedule(after: 5_000)
    rig.run()
    #expect(log == ["closed", "end"])
    #expect(rig.loop.now - start < 5_000, "the turn end waited for the far timer")
  }

  @Test func `a turn that was stopped is ended too`() throws {
    let loop = try Loop()
    var log: [String] = []
    let connection = Connection(to: .unix(path: "/nonexistent/socket"), on: loop)
    connection.onClose = { _ in
      log.append("closed")
      loop.stop()
    }
    loop.onTurnEnd = { log.append("end") }
    loop.run()
    #expect(log.suffix(2) == ["closed", "end"])
  }

  @Test func `a turn in which nothing happened has no end`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var ends = 0
    rig.loop.onTurnEnd = { ends += 1 }
    let idle = try rig.listen { _ in }
    idle.close()
    rig.loop.stop()
    rig.run()
    #expect(ends == 0)
  }

  @Test func `running ends by itself when nothing is open`() throws {
    let loop = try Loop()
    var fired = false
    let timer = Timer(on: loop) { fired = true }
    timer.schedule(after: 1)
    loop.run()
    #expect(fired)
    timer.close()
    loop.run()
    #expect(loop.openHandles == 0)
  }

  @Test func `what the turn end begins is still run`() throws {
    let loop = try Loop()
    var log: [String] = []
    let second = Timer(on: loop) { log.append("second") }
    let first = Timer(on: loop) { log.append("first") }
    loop.onTurnEnd = {
      log.append("end")
      if log.count == 2 { second.schedule(after: 1) }
    }
    first.schedule(after: 1)
    loop.run()
    loop.closeAll()
    #expect(log == ["first", "end", "second", "end"])
  }

  @Test func `a loop goes when its last handle is closed`() throws {
    weak var gone: Loop?
    do {
      let loop = try Loop()
      gone = loop
      loop.onTurnEnd = { _ = loop.now }
      let timer = Timer(on: loop) {}
      let listener = try Listener(at: .tcp(host: "127.0.0.1", port: 0), on: loop) { _ in }
      let connection = Connection(to: listener.address, on: loop)
      connection.onConnected = { loop.stop() }
      loop.run()
      #expect(loop.openHandles >= 3)
      timer.schedule(after: 1_000_000)
      loop.closeAll()
    }
    #expect(gone == nil)
  }

  @Test func `what is permanent stays open while all others are closed`() throws {
    let rig = try Rig()
    var said: [String] = []
    let listener = try rig.listen { $0.isPermanent = true }
    listener.isPermanent = true
    let kept = Connection(to: listener.address, on: rig.loop)
    kept.isPermanent = true
    kept.onClose = { _ in said.append("kept closed") }
    kept.onConnected = { rig.loop.stop() }
    let other = Connection(to: listener.address, on: rig.loop)
    other.onClose = { _ in said.append("other closed") }
    let (mayEnd, rings) = (Lock(false), Timer(on: rig.loop) { said.append("rang") })
    BackgroundWork.run(on: rig.loop, isPermanent: true) {
      while !mayEnd.withLock({ $0 }) { sched_yield() }
    } finish: {
      said.append("worked")
      rig.loop.stop()
    }
    rig.run()
    rings.schedule(after: 60_000)
    rig.loop.closeOthers()
    #expect(said == ["other closed"])
    #expect([listener.isOpen, kept.isOpen, rings.isOpen] == [true, true, false])
    mayEnd.withLock { $0 = true }
    rig.loop.run()
    if !said.contains("worked") { rig.loop.run() }
    #expect(said.contains("worked"))
    rig.end()
  }

  @Test func `a stop that comes while the loop does not run is forgotten at its end`() throws {
    weak var gone: Loop?
    do {
      let loop = try Loop()
      gone = loop
      loop.closeAll()
      loop.stop()
    }
    #expect(gone == nil)
  }

  @Test func `an error names what failed, on what, why and what would help`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let listener = try rig.listen { _ in }
    let error = #expect(throws: LoopError.self) { try rig.listen(at: "\(listener.address)") { _ in } }
    #expect(error?.code == "EADDRINUSE")
    #expect(error?.subject == "\(listener.address)")
    #expect(
      error?.description == """
        cannot listen on \(listener.address): address already in use (EADDRINUSE); \
        stop the process that listens there, or choose another address (port 0 takes any free port)
        """)
  }
}
