import Glibc
import Testing

@testable import ZoneKitEventLoop

@Suite struct ListenerTests {
  @Test(arguments: ["127.0.0.1:0", "[::1]:0", "localhost:0"])
  func `port 0 becomes the real port`(text: String) throws {
    let rig = try Rig()
    defer { rig.end() }
    let listener = try rig.listen(at: text) { _ in }
    guard case .tcp(_, let port) = listener.address else {
      Issue.record("a TCP address stays one")
      return
    }
    #expect(port != 0)
    #expect(listener.address.isLoopback)
  }

  @Test func `connections wait while nobody accepts them, and are accepted then`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let listener = try rig.listen { _ in Issue.record("a listener that accepts nothing") }
    listener.onAccept = nil
    let clients = (1...3).map { _ in Connection(to: listener.address, on: rig.loop) }
    var connected = 0
    for client in clients {
      client.onConnected = {
        connected += 1
        if connected == 3 { rig.loop.stop() }
      }
    }
    rig.run()
    var accepted = 0
    listener.onAccept = { _ in
      accepted += 1
      if accepted == 3 { rig.loop.stop() }
    }
    rig.run()
    #expect(accepted == 3)
  }

  @Test func `a Unix socket in use is refused and stays as it was`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let folder = TemporaryFolder()
    let place = "unix:\(folder.path)/s"
    let first = try rig.listenAndEcho(at: place)
    let error = #expect(throws: LoopError.self) { try rig.listen(at: place) { _ in } }
    #expect(error?.code == "EADDRINUSE")
    #expect(error?.subject == place)
    let client = Connection(to: first.address, on: rig.loop)
    client.onConnected = { rig.loop.stop() }
    rig.run()
    #expect(client.isOpen)
  }

  @Test func `a socket file that nobody listens on is replaced, and removed at the close`() throws {
    let rig = try Rig()
    let folder = TemporaryFolder()
    let path = "\(folder.path)/s"
    // Bound and closed without listening on: what a killed process leaves.
    let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(stale, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    close(stale)
    try #require(access(path, F_OK) == 0)

    let listener = try rig.listen(at: "unix:\(path)") { _ in rig.loop.stop() }
    let client = RawSocket(to: listener.address)
    #expect(client.descriptor >= 0)
    rig.run()
    rig.end()
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a file that is no socket is not touched`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let folder = TemporaryFolder()
    let path = folder.file("notes", bytes("mine"))
    let error = #expect(throws: LoopError.self) { try rig.listen(at: "unix:\(path)") { _ in } }
    #expect(error?.code == "EEXIST")
    #expect(access(path, F_OK) == 0)
  }

  @Test func `a place that cannot be listened on is refused by name`() throws {
    let rig = try Rig()
    defer { rig.end() }
    let long = "/" + String(repeating: "x", count: 107)
    let places: [(Address, String)] = [
      (.unix(path: "/nonexistent/s"), "ENOENT"), (.unix(path: long), "ENAMETOOLONG"), (.unix(path: ""), "ENAMETOOLONG"),
      (.tcp(host: "192.0.2.1", port: 0), "EADDRNOTAVAIL"),
    ]
    for (address, code) in places {
      let error = #expect(throws: LoopError.self) { try Listener(at: address, on: rig.loop) { _ in } }
      #expect(error?.code == code)
      #expect(error?.subject == address.description)
    }
  }

  @Test func `two thousand connections open and close, and not one object stays`() throws {
    let count = 2_000
    try #require(try OpenFileLimit.raise() >= UInt64(2 * count + 100))
    let rig = try Rig()
    let alive = AliveList()
    var accepted = 0
    var closed = 0
    var open: [Connection] = []
    let listener = try rig.listen { connection in
      accepted += 1
      alive.add(connection)
      connection.onRead = { connection.write($0) }
      connection.onClose = { reason in
        #expect(reason == .endedByPeer)
        closed += 1
        if closed == 2 * count { rig.loop.stop() }
      }
    }
    var echoed = 0
    for _ in 0..<count {
      let client = Connection(to: listener.address, on: rig.loop)
      alive.add(client)
      open.append(client)
      client.onConnected = { client.write(bytes("x")) }
      client.onRead = { _ in
        echoed += 1
        if echoed == count {
          for client in open { client.close() }
          open = []
        }
      }
      client.onClose = { _ in
        closed += 1
        if closed == 2 * count { rig.loop.stop() }
      }
    }
    rig.run()
    #expect(accepted == count)
    #expect(echoed == count)
    #expect(closed == 2 * count)
    #expect(alive.count == 0)
    rig.end()
  }

  @Test func `with a limit of connections, further peers wait until one has left`() throws {
    let rig = try Rig()
    var accepted: [Connection] = []
    let listener = try rig.listen { accepted.append($0) }
    listener.connectionLimit = 2
    let clients = (0..<5).map { _ in RawSocket(to: listener.address) }
    let pause = Timer(on: rig.loop) { rig.loop.stop() }
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.count == 2 && listener.refusedCount == 0)
    for connection in accepted { connection.close() }
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.count == 4 && listener.refusedCount == 0)
    withExtendedLifetime(clients) {}
    rig.end()
  }

  @Test func `connections of an address above its limit are refused, and those of another are accepted`() throws {
    let rig = try Rig()
    var accepted: [Connection] = []
    var refused: [Connection] = []
    let listener = try rig.listen { accepted.append($0) }
    listener.addressLimit = 2
    listener.onRefuse = {
      $0.write(bytes("no"))
      refused.append($0)
    }
    var clients = (0..<4).map { _ in RawSocket(to: listener.address) } + [RawSocket(to: listener.address, from: 2)]
    let pause = Timer(on: rig.loop) { rig.loop.stop() }
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.count == 3 && refused.count == 2 && rig.loop.refusedByAddress == 2)
    #expect(clients[3].received() == "no")
    accepted[0].close()
    clients.append(RawSocket(to: listener.address))
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.count == 4 && rig.loop.refusedByAddress == 2)
    rig.end()
    #expect(rig.loop.acceptedCount == 0)
  }

  @Test func `connections over a Unix socket have no address that is limited`() throws {
    let rig = try Rig()
    let folder = TemporaryFolder()
    var accepted: [Connection] = []
    let listener = try rig.listen(at: "unix:" + folder.path + "/socket") { accepted.append($0) }
    listener.addressLimit = 1
    let clients = (0..<3).map { _ in RawSocket(to: listener.address) }
    let pause = Timer(on: rig.loop) { rig.loop.stop() }
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.count == 3)
    withExtendedLifetime(clients) {}
    rig.end()
  }

  @Test func `with a limit of connections, one listener does not wait for the room of another`() throws {
    let rig = try Rig()
    var accepted: [[Connection]] = [[], []]
    let listeners = try (0...1).map { index in try rig.listen { accepted[index].append($0) } }
    let (narrow, wide) = (listeners[0], listeners[1])
    (narrow.connectionLimit, wide.connectionLimit) = (1, 2)
    let pause = Timer(on: rig.loop) { rig.loop.stop() }
    var clients: [RawSocket] = []
    for listener in [narrow, wide, narrow, wide] {
      clients.append(RawSocket(to: listener.address))
      pause.schedule(after: 50)
      rig.run()
    }
    #expect(accepted.map(\.count) == [1, 1])
    accepted[1][0].close()
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.map(\.count) == [1, 2])
    accepted[0][0].close()
    accepted[1][1].close()
    pause.schedule(after: 50)
    rig.run()
    #expect(accepted.map(\.count) == [2, 2])
    withExtendedLifetime(clients) {}
    rig.end()
  }

  @Test func `without spare descriptors the last accepted connection is closed, and the waiting ones are turned away`()
    async
  {
    await #expect(processExitsWith: .success) {
      let rig = try Rig()
      // The spare descriptors of libuv and of the listener are above the limit, as if another thread took their places.
      let low = (0..<30).map { _ in open("/dev/null", O_RDONLY) }
      var accepted: [Connection] = []
      var ended: [Int] = []
      let listener = try rig.listen {
        let number = accepted.count
        $0.onClose = { _ in ended.append(number) }
        accepted.append($0)
      }
      for descriptor in low { close(descriptor) }
      let clients = (0..<20).map { _ in RawSocket(to: listener.address) }
      limitDescriptors(to: clients[19].descriptor + 4)
      let pause = Timer(on: rig.loop) { rig.loop.stop() }
      pause.schedule(after: 50)
      rig.run()
      // Threads of the test process may take or free a descriptor meanwhile, so the numbers are not always the same.
      #expect(!ended.isEmpty)
      #expect(ended == Array(accepted.indices.reversed().prefix(ended.count)))
      #expect(accepted.count + listener.refusedCount == 20)
      withExtendedLifetime(clients) {}
      rig.end()
    }
  }

  @Test(arguments: [true, false])
  func `without descriptors peers are turned away, and later ones served`(reserve: Bool) async {
    await #expect(processExitsWith: .success) { [reserve] in
      let rig = try Rig()
      var accepted: [Connection] = []
      var turns = 0
      let listener = try rig.listen {
        accepted.append($0)
        // As when another thread has taken the descriptor that libuv keeps back.
        if !reserve, rig.loop.raw.pointee.emfile_fd >= 0 {
          close(rig.loop.raw.pointee.emfile_fd)
          rig.loop.raw.pointee.emfile_fd = -1
        }
      }
      var clients = (0..<20).map { _ in RawSocket(to: listener.address) }
      limitDescriptors(to: clients[19].descriptor + 6)
      rig.loop.onTurnEnd = { turns += 1 }
      let pause = Timer(on: rig.loop) { rig.loop.stop() }
      pause.schedule(after: 50)
      rig.run()
      #expect((1..<20).contains(accepted.count))
      #expect(turns < 20, "the loop spun")
      if !reserve { #expect(listener.refusedCount == 20 - accepted.count) }

      let before = accepted.count
      for connection in accepted { connection.close() }
      clients = []
      let late = RawSocket(to: listener.address)
      #expect(late.descriptor >= 0)
      pause.schedule(after: 50)
      rig.run()
      #expect(accepted.count == before + 1)
      rig.end()
    }
  }
}

/// Lets this process have no further descriptor from that number on.
private func limitDescriptors(to number: Int32) {
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  getrlimit(resource, &limit)
  limit.rlim_cur = rlim_t(number)
  setrlimit(resource, &limit)
}

/// Remembers objects without keeping them, to count those alive.
private final class AliveList {
  private struct Weak {
    weak var object: AnyObject?
  }

  private var objects: [Weak] = []

  func add(_ object: AnyObject) {
    objects.append(Weak(object: object))
  }

  var count: Int { objects.count { $0.object != nil } }
}
