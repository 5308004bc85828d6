import ZoneKitEventLoop
import Glibc
import Testing

@Suite struct ConnectionTests {
  @Test(arguments: ["127.0.0.1:0", "[::1]:0", "unix"])
  func `a line is echoed whole`(place: String) throws {
    let rig = try Rig()
    defer { rig.end() }
    let folder = TemporaryFolder()
    let listener = try rig.listenAndEcho(at: place == "unix" ? "unix:\(folder.path)/s" : place)
    let client = Connection(to: listener.address, on: rig.loop)
    var received: [UInt8] = []
    var log: [String] = []
    client.onConnected = {
      log.append("connected")
      client.write(bytes("hello\n"))
      client.write([])
    }
    client.onRead = {
      received += $0
      if received.count == 6 { client.shutdownAfterWrites() }
    }
    client.onClose = {
      log.append("\($0)")
      rig.loop.stop()
    }
    rig.run()
    #expect(received == bytes("hello\n"))
    #expect(log == ["connected", "closedHere"])
    #expect(!client.isOpen)
  }

  @Test func `what is written before the connection stands is sent when it does`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let listener = try rig.listenAndEcho()
    guard case .tcp(_, let port) = listener.address else { return }
    let client = Connection(to: .tcp(host: "localhost", port: port), on: rig.loop)
    var received: [UInt8] = []
    client.write(bytes("early "))
    client.write(bytes("bird"))
    #expect(client.queuedBytes == 10)
    client.onRead = {
      received += $0
      if received.count == 10 { client.close() }
    }
    client.onClose = { _ in rig.loop.stop() }
    rig.run()
    #expect(received == bytes("early bird"))
  }

  @Test func `a connection finished before it stands still sends all`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var received: [UInt8] = []
    let listener = try rig.listen { connection in
      connection.onRead = { received += $0 }
      connection.onClose = { _ in rig.loop.stop() }
    }
    let client = Connection(to: listener.address, on: rig.loop)
    client.write(bytes("bye"))
    client.shutdownAfterWrites()
    client.write(bytes("too late"))
    rig.run()
    #expect(received == bytes("bye"))
  }

  @Test(arguments: ["127.0.0.1:0", "unix"])
  func `eight mebibytes pass whole under back-pressure, and the drain is reported`(place: String) throws {
    let rig = try Rig()
    defer { rig.end() }
    let folder = TemporaryFolder()
    let content = pattern(8 * 1024 * 1024)
    var received: [UInt8] = []
    received.reserveCapacity(content.count)
    var drains = 0
    var mostQueued = 0
    let listener = try rig.listen(at: place == "unix" ? "unix:\(folder.path)/s" : place) { connection in
      content.withUnsafeBytes { all in
        for start in stride(from: 0, to: all.count, by: all.count / 16) {
          connection.write(UnsafeRawBufferPointer(rebasing: all[start..<start + all.count / 16]))
        }
      }
      mostQueued = connection.queuedBytes
      connection.onDrained = {
        drains += 1
        #expect(connection.queuedBytes == 0)
        connection.shutdownAfterWrites()
      }
    }
    let client = Connection(to: listener.address, on: rig.loop)
    let pause = Timer(on: rig.loop) { client.resumeReading() }
    client.onRead = {
      received += $0
      if received.count < 1_000_000 {
        client.pauseReading()
        pause.schedule(after: 1)
      }
    }
    client.onEnd = { client.close() }
    client.onClose = { _ in rig.loop.stop() }
    rig.run()
    #expect(received == content)
    #expect(mostQueued > 0)
    #expect(drains == 1)
  }

  @Test func `many writes behind a full peer keep their order`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let pieces = (0..<600).map { pattern(10_000 + $0) }
    var received: [UInt8] = []
    let listener = try rig.listen { connection in
      for piece in pieces { connection.write(piece) }
      #expect(connection.queuedBytes > 0)
      connection.shutdownAfterWrites()
    }
    let client = Connection(to: listener.address, on: rig.loop)
    client.onRead = { received += $0 }
    client.onClose = { _ in rig.loop.stop() }
    rig.run()
    #expect(received == pieces.flatMap { $0 })
  }

  @Test func `the system takes a bounded number of bytes for a client that reads nothing`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let size = 16 << 20
    var queued = 0
    let listener = try rig.listen { connection in
      connection.write(pattern(size))
      queued = connection.queuedBytes
      rig.loop.stop()
    }
    let client = RawSocket(to: listener.address)
    rig.run()
    client.close()
    // The client's own buffer takes some, too.
    #expect(size - queued < 4 * Connection.systemBacklog)
  }

  @Test func `a peer that takes nothing at the end of a connection loses the rest after some time`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var reason: CloseReason?
    let listener = try rig.listen { connection in
      connection.write(pattern(16 << 20))
      connection.onClose = {
        reason = $0
        rig.loop.stop()
      }
      connection.shutdownAfterWrites(patience: 20)
      #expect(connection.queuedBytes > 0)
    }
    let client = RawSocket(to: listener.address)
    rig.run()
    client.close()
    #expect(reason == .closedHere)
  }

  @Test func `a peer that takes something now and then gets everything`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let content = pattern(8 << 20)
    var received: [UInt8] = []
    let listener = try rig.listen { connection in
      connection.write(content)
      connection.shutdownAfterWrites(patience: 2_000)
    }
    let client = Connection(to: listener.address, on: rig.loop)
    let pause = Timer(on: rig.loop) { client.resumeReading() }
    client.onRead = {
      received += $0
      client.pauseReading()
      pause.schedule(after: 1)
    }
    client.onEnd = { client.close() }
    client.onClose = { _ in rig.loop.stop() }
    rig.run()
    #expect(received == content)
  }

  @Test func `nothing is delivered while paused, and nothing is lost`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var received: [UInt8] = []
    var atResume: Int?
    let listener = try rig.listen { connection in
      connection.pauseReading()
      let timer = Timer(on: rig.loop) {
        atResume = received.count
        connection.resumeReading()
      }
      timer.schedule(after: 20)
      connection.onRead = { received += $0 }
      connection.onClose = { _ in rig.loop.stop() }
    }
    let client = RawSocket(to: listener.address)
    client.send("waits")
    client.close()
    rig.run()
    #expect(atResume == 0)
    #expect(received == bytes("waits"))
  }

  @Test func `a peer that ended its side still gets the answer`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var question: [UInt8] = []
    let listener = try rig.listen { connection in
      connection.onRead = { question += $0 }
      connection.onEnd = {
        connection.write(bytes("answer"))
        connection.shutdownAfterWrites()
      }
    }
    let client = RawSocket(to: listener.address)
    client.send("question")
    shutdown(client.descriptor, Int32(SHUT_WR))
    let input = try InputStream(descriptor: dup(client.descriptor), on: rig.loop)
    var answer: [UInt8] = []
    input.onRead = { answer += $0 }
    input.onClose = { reason in
      #expect(reason == .endedByPeer)
      rig.loop.stop()
    }
    input.resumeReading()
    rig.run()
    #expect(question == bytes("question"))
    #expect(answer == bytes("answer"))
  }

  @Test func `a peer's reset is reported with its code`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var reason: CloseReason?
    var client: RawSocket?
    let listener = try rig.listen { connection in
      connection.onRead = { _ in
        client?.resetOnClose()
        client?.close()
      }
      connection.onClose = {
        reason = $0
        rig.loop.stop()
      }
    }
    client = RawSocket(to: listener.address)
    client?.send("x")
    rig.run()
    guard case .failed(let error)? = reason else {
      Issue.record("closed for \(String(describing: reason))")
      return
    }
    #expect(error.code == "ECONNRESET")
  }

  @Test func `writing to a peer that has gone ends in a failure, not a crash`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var reason: CloseReason?
    let listener = try rig.listen { connection in
      connection.onEnd = {
        connection.write(bytes("into the void"))
        connection.write(pattern(1_000_000))
      }
      connection.onClose = {
        reason = $0
        connection.write(bytes("after the close"))
        connection.shutdownAfterWrites()
        connection.resumeReading()
        connection.pauseReading()
        connection.close()
        rig.loop.stop()
      }
    }
    RawSocket(to: listener.address).close()
    rig.run()
    guard case .failed(let error)? = reason else {
      Issue.record("closed for \(String(describing: reason))")
      return
    }
    #expect(["EPIPE", "ECONNRESET"].contains(error.code))
  }

  @Test func `closing inside a read delivers nothing more and reports once, later`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var log: [String] = []
    let listener = try rig.listen { connection in
      connection.onRead = { _ in
        log.append("read")
        connection.close()
        connection.close()
        connection.write(bytes("ignored"))
        log.append("returned")
      }
      connection.onClose = {
        log.append("\($0)")
        rig.loop.stop()
      }
    }
    let client = RawSocket(to: listener.address)
    client.send(String(repeating: "x", count: 200_000))
    rig.run()
    #expect(log == ["read", "returned", "closedHere"])
  }

  @Test func `a peer that never ends is closed after the linger time, its bytes thrown away`() throws {
    let rig = try Rig()
    defer { rig.end() }
    var reads = 0
    var closedAt: Int64 = 0
    let start = rig.loop.now
    let listener = try rig.listen { connection in
      connection.onRead = { _ in reads += 1 }
      connection.shutdownAfterWrites()
      connection.onClose = {
        #expect($0 == .closedHere)
        closedAt = rig.loop.now
        rig.loop.stop()
      }
    }
    let client = RawSocket(to: listener.address)
    client.send("still talking")
    rig.run()
    #expect(reads == 0)
    #expect(closedAt - start >= Connection.lingerTime)
  }

  @Test func `a connection to nobody fails with the address named`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let listener = try rig.listen { _ in }
    let address = listener.address
    listener.onClosed { rig.loop.stop() }
    rig.run()
    let folder = TemporaryFolder()
    let path = "\(folder.path)/none"
    let long = "/" + String(repeating: "x", count: 107)
    let targets: [(Address, String)] = [
      (address, "ECONNREFUSED"), (.unix(path: path), "ENOENT"), (.unix(path: long), "ENAMETOOLONG"),
    ]
    for (target, code) in targets {
      let client = Connection(to: target, on: rig.loop)
      client.write(bytes("lost"))
      var reason: CloseReason?
      client.onConnected = { Issue.record("nobody listens at \(target)") }
      client.onClose = {
        reason = $0
        rig.loop.stop()
      }
      rig.run()
      guard case .failed(let error)? = reason else {
        Issue.record("closed for \(String(describing: reason))")
        continue
      }
      #expect(error.code == code)
      #expect(error.subject == target.description)
    }
  }

  @Test func `a connection closed while its name is looked up closes once`() throws {
    let rig = try Rig()
    var reasons: [CloseReason] = []
    let client = Connection(to: .tcp(host: "localhost", port: 1), on: rig.loop)
    client.onClose = { reasons.append($0) }
    client.close()
    rig.end()
    rig.loop.run()
    #expect(reasons == [.closedHere])
  }
}

extension Listener {
  /// Closes the listener and calls back when its place is free.
  fileprivate func onClosed(_ body: @escaping () -> Void) {
    close()
    Timer(on: loop, onFire: body).schedule(after: 1)
  }
}
