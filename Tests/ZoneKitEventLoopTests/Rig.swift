import ZoneKitEventLoop
import Testing

/// A loop for one test, with a watchdog that fails the test instead of letting it hang.
final class Rig {
  let loop: Loop
  private let watchdog: Timer

  init() throws {
    let loop = try Loop()
    self.loop = loop
    watchdog = Timer(on: loop) {
      Issue.record("the loop did not reach its end within 30 s")
      loop.stop()
    }
  }

  /// Runs until the test calls `loop.stop()`.
  func run() {
    watchdog.schedule(after: 30_000)
    loop.run()
    watchdog.cancel()
  }

  /// Closes all and checks that nothing stays open.
  func end() {
    loop.closeAll()
    #expect(loop.openHandles == 0)
  }

  /// Listens on a free port of this machine.
  func listen(
    at address: String = "127.0.0.1:0", onAccept: @escaping (Connection) -> Void
  ) throws -> Listener {
    try Listener(at: Address(parsing: address), on: loop, onAccept: onAccept)
  }

  /// Listens on a free port and sends everything back.
  func listenAndEcho(at address: String = "127.0.0.1:0") throws -> Listener {
    try listen(at: address) { connection in
      connection.onRead = { connection.write($0) }
      connection.onEnd = { connection.shutdownAfterWrites() }
    }
  }
}

/// Bytes that differ from place to place, so that a lost or doubled piece shows.
func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

/// The text as bytes.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
