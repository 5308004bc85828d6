import ZoneKitEventLoop
import Glibc
import Testing

@Suite struct InputStreamTests {
  @Test func `a pipe is read to its end`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    _ = "one\ntwo".utf8CString.withUnsafeBytes { write(ends[1], $0.baseAddress, 7) }
    close(ends[1])
    #expect(try readAll(ends[0]) == bytes("one\ntwo"))
  }

  @Test func `a regular file is read to its end`() throws {
    let folder = TemporaryFolder()
    let content = pattern(300_000)
    let descriptor = open(folder.file("script", content), O_RDONLY)
    #expect(try readAll(descriptor) == content)
  }

  @Test func `an empty device ends at once`() throws {
    #expect(try readAll(open("/dev/null", O_RDONLY)) == [])
  }

  @Test func `a terminal delivers lines, and Ctrl-D ends it`() throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(master) }
    // Unlock the terminal and ask for its number (ioctl_tty(2), TIOCSPTLCK and TIOCGPTN).
    var locked: Int32 = 0
    var number: Int32 = 0
    try #require(ioctl(master, 0x4004_5431, &locked) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(isatty(terminal) == 1)
    let typed: [UInt8] = bytes("status\n") + [4]
    _ = typed.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    #expect(try readAll(terminal) == bytes("status\n"))
  }

  @Test func `nothing is delivered while paused, and nothing is lost`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let folder = TemporaryFolder()
    let content = pattern(200_000)
    let input = try InputStream(descriptor: open(folder.file("script", content), O_RDONLY), on: rig.loop)
    var received: [UInt8] = []
    var isPaused = false
    let timer = Timer(on: rig.loop) {
      isPaused = false
      input.resumeReading()
    }
    input.onRead = {
      #expect(!isPaused)
      received += $0
      input.pauseReading()
      isPaused = true
      timer.schedule(after: 1)
    }
    input.onClose = { _ in rig.loop.stop() }
    input.resumeReading()
    rig.run()
    #expect(received == content)
  }

  @Test func `a pipe shared with others is blocking again after the close`() throws {
    let rig = try Rig()
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let input = try InputStream(descriptor: dup(ends[0]), on: rig.loop)
    input.resumeReading()
    #expect(fcntl(ends[0], F_GETFL) & O_NONBLOCK != 0)
    var reason: CloseReason?
    input.onClose = { reason = $0 }
    input.close()
    rig.end()
    #expect(reason == .closedHere)
    #expect(fcntl(ends[0], F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func `what cannot be read as a stream is refused by its number`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let folder = open("/tmp", O_RDONLY)
    defer { close(folder) }
    for (descriptor, code) in [(folder, "EINVAL"), (9_999, "EBADF")] {
      let error = #expect(throws: LoopError.self) { try InputStream(descriptor: descriptor, on: rig.loop) }
      #expect(error?.code == code)
      #expect(error?.subject == "descriptor \(descriptor)")
    }
  }

  private func readAll(_ descriptor: Int32) throws -> [UInt8] {
    let rig = try Rig()
    defer { rig.end() }
    let input = try InputStream(descriptor: descriptor, on: rig.loop)
    var received: [UInt8] = []
    input.onRead = { received += $0 }
    input.onClose = { reason in
      #expect(reason == .endedByPeer)
      rig.loop.stop()
    }
    input.resumeReading()
    rig.run()
    return received
  }
}
