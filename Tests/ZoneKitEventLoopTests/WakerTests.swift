import ZoneKitEventLoop
import Glibc
import ZoneKitThreads
import Testing

@Suite struct WakerTests {
  @Test func `another thread wakes the loop, and the turn ends after it`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    let waker = try Waker(on: rig.loop) { log.append("woken") }
    rig.loop.onTurnEnd = {
      log.append("end")
      rig.loop.stop()
    }
    let thread = onThread { waker.wake() }
    rig.run()
    pthread_join(thread, nil)
    #expect(log == ["woken", "end"])
  }

  @Test func `another thread stops the loop while it sleeps, a hundred times`() throws {
    for _ in 0..<100 {
      let rig = try Rig()
      let waker = try Waker(on: rig.loop) { rig.loop.stop() }
      let thread = onThread { waker.wake() }
      rig.run()
      pthread_join(thread, nil)
      rig.end()
    }
  }

  @Test func `no wake-up of four threads is lost`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let sent = Lock(0)
    var seen = 0
    let waker = try Waker(on: rig.loop) {
      seen = sent.withLock { $0 }
      if seen == 4_000 { rig.loop.stop() }
    }
    let threads = (0..<4).map { _ in
      onThread {
        for _ in 0..<1_000 {
          sent.withLock { $0 += 1 }
          waker.wake()
        }
      }
    }
    rig.run()
    for thread in threads { pthread_join(thread, nil) }
    #expect(seen == 4_000)
  }

  @Test func `a closed waker takes calls and does nothing`() throws {
    let rig = try Rig()
    var woken = 0
    let waker = try Waker(on: rig.loop) { woken += 1 }
    waker.close()
    waker.wake()
    waker.close()
    rig.end()
    waker.wake()
    #expect(woken == 0)
  }

  @Test func `closing all closes a waker for other threads too`() throws {
    let rig = try Rig()
    let waker = try Waker(on: rig.loop) {}
    rig.end()
    waker.wake()
    waker.close()
  }

  /// A plain thread: the test pool's threads may all be busy running loops.
  private func onThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Body: Sendable {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    let status = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(status == 0, "a thread can be made")
    return thread
  }
}
