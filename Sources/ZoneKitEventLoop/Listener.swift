import ZoneKitCUV
import Glibc

/// Accepts connections at one address and passes each to a closure.
package final class Listener: Handle {
  /// The number of connections that the system queues before it refuses more (listen(2); the kernel's limit of 4096
  /// also applies).
  package static let backlog: Int32 = 4_096

  /// The address of the socket. If port 0 was asked for, it holds the actual port.
  package private(set) var address: Address
  /// The number of connections that were refused because this process had no file descriptor left.
  package private(set) var refusedCount = 0

  /// The number of open connections, of all listeners of the loop, from which on this one accepts no further ones. They
  /// wait in the system's queue until one is closed.
  package var connectionLimit = Int.max
  /// The number of open connections of one address, of all listeners of the loop, above which this one refuses those of that
  /// address. Unix sockets have no addresses.
  package var addressLimit = Int.max
  /// Called once for each connection that is refused because of its address. It is closed afterwards, so only what the system
  /// takes at once is sent.
  package var onRefuse: ((Connection) -> Void)?
  /// Called once for each connection, before reading starts; it sets the connection's closures. While it is nil, connections
  /// wait in the system's queue.
  package var onAccept: ((Connection) -> Void)? {
    didSet {
      guard onAccept != nil, hasWaiting else { return }
      hasWaiting = false
      accept()
    }
  }
  /// Whether a connection arrived while `onAccept` was nil. libuv reports no other one before it is accepted.
  private var hasWaiting = false
  /// A descriptor that is closed when no other is left, so that a waiting connection can be accepted and refused.
  private var spare: Int32

  /// Listens at `address`. Replaces a Unix socket file on which no process listens. Throws an error that names the
  /// address, for example with `EADDRINUSE`. With `passed`, the socket that listens there already is taken over.
  package init(
    at address: Address, passed: PassedSocket? = nil, on loop: Loop, onAccept: ((Connection) -> Void)? = nil
  ) throws(LoopError) {
    self.address = address
    self.onAccept = onAccept
    spare = Self.openSpare()
    super.init(address.isUnix ? UV_NAMED_PIPE : UV_TCP, on: loop)
    adopt(address.isUnix ? uv_pipe_init(loop.raw, pipe, 0) : uv_tcp_init(loop.raw, tcp))
    do throws(LoopError) {
      if let passed { try open(passed) } else { try bind() }
      try check(uv_listen(stream, Self.backlog) { Listener.deliver($0, $1) })
    } catch {
      close()
      throw error
    }
    if case .tcp = address, let bound = SocketAddress(asking: { uv_tcp_getsockname(tcp, $0, $1) }) {
      self.address = bound.address
    }
  }

  private func open(_ passed: PassedSocket) throws(LoopError) {
    try check(address.isUnix ? uv_pipe_open(pipe, passed.descriptor) : uv_tcp_open(tcp, passed.descriptor))
  }

  private func bind() throws(LoopError) {
    switch address {
    case .tcp(let host, let port):
      let endpoint = try Lookup.address(of: host, port: port, on: loop)
      try check(endpoint.withPointer { uv_tcp_bind(tcp, $0, 0) })
    case .unix(let path):
      try UnixSocketFile.makeWay(for: path)
      try check(uv_pipe_bind(pipe, path))
    }
  }

  private func check(_ status: Int32) throws(LoopError) {
    guard status == 0 else { throw LoopError(status, "listen on", address.description) }
  }

  private static func deliver(_ stream: UnsafeMutablePointer<uv_stream_t>?, _ status: Int32) {
    guard let stream, let data = stream.pointee.data else { return }
    let listener = Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
    if status == 0 {
      listener.accept()
    } else if status == UV_EMFILE.rawValue || status == UV_ENFILE.rawValue {
      listener.refuseWaiting()
    }
  }

  /// Accepts the next connection. At the limit it waits: libuv does not look for another before this one is accepted
  /// (libuv: stream.html, uv_listen).
  func accept() {
    guard let onAccept else {
      hasWaiting = isOpen
      return
    }
    guard loop.acceptedCount < connectionLimit else { return loop.waitingListeners.append(self) }
    let connection = Connection(acceptedFrom: stream, isUnix: address.isUnix, on: loop)
    guard hasSpare() else { return refuse(connection) }
    guard connection.countedPeer.map({ loop.acceptedByAddress[$0, default: 0] <= addressLimit }) ?? true else {
      loop.refusedByAddress += 1
      onRefuse?(connection)
      return connection.close()
    }
    loop.hasUnfinishedTurn = true
    onAccept(connection)
    connection.startReadingIfWanted()
  }

  /// Refuses the waiting connections when this process has no file descriptor left.
  ///
  /// libuv itself keeps a descriptor in reserve for this. If another thread has taken that descriptor, libuv would try
  /// again without end, so the queue is emptied here. The spare descriptor is opened again when the next connection is
  /// accepted: accept(2) returns `EMFILE` even for an empty queue, and `EAGAIN` only if a descriptor is free. If another
  /// thread takes the spare descriptor too, the connection that was accepted last is closed to free one.
  private func refuseWaiting() {
    var descriptor: Int32 = -1
    guard uv_fileno(handle, &descriptor) == 0 else { return }
    if spare >= 0 { Glibc.close(spare) }
    spare = -1
    while true {
      let peer = Glibc.accept(descriptor, nil, nil)
      if peer >= 0 {
        Glibc.close(peer)
        refusedCount += 1
      } else {
        guard errno == EMFILE || errno == ENFILE else { return }
        guard let last = loop.lastAccepted else { return waitForDescriptor() }
        last.close()
      }
    }
  }

  /// Waits a millisecond for another thread to free a descriptor, because libuv tries again at once.
  private func waitForDescriptor() { usleep(1_000) }

  private func hasSpare() -> Bool {
    if spare < 0 { spare = Self.openSpare() }
    return spare >= 0
  }

  /// Closes a connection that took the last descriptor, so that the spare one can be opened again.
  private func refuse(_ connection: Connection) {
    connection.close()
    refusedCount += 1
    spare = Self.openSpare()
  }

  private static func openSpare() -> Int32 {
    Glibc.open("/", O_RDONLY | O_CLOEXEC)
  }

  override func handleClosed() {
    onAccept = nil
    onRefuse = nil
    loop.waitingListeners.removeAll { $0 === self }
    if spare >= 0 { Glibc.close(spare) }
    spare = -1
  }
}
