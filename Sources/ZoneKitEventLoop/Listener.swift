import ZoneKitCUV
import Glibc

/// Waits for peers at one address and hands each to a closure as a `Connection`.
package final class Listener: Handle {
  /// How many peers the system keeps waiting before it turns them away (listen(2); the kernel's own limit, 4096, also holds).
  package static let backlog: Int32 = 4_096

  /// Where it listens; a port 0 that was asked for is the real port here.
  package private(set) var address: Address
  /// How many peers were turned away because this process had no descriptor left.
  package private(set) var refusedCount = 0

  /// Runs once for each peer and sets the connection's closures, then reading starts. It may be set after the listener was
  /// made: peers are handed out by the loop only.
  package var onAccept: ((Connection) -> Void)?
  /// A descriptor to give up when there is no other, so that a waiting peer can be taken and turned away.
  private var spare: Int32

  /// Listens at `address`. A Unix socket file that nobody listens on any more is replaced. Throws with the address named,
  /// such as `EADDRINUSE`.
  package init(at address: Address, on loop: Loop, onAccept: ((Connection) -> Void)? = nil) throws(LoopError) {
    self.address = address
    self.onAccept = onAccept
    spare = Self.openSpare()
    super.init(address.isUnix ? UV_NAMED_PIPE : UV_TCP, on: loop)
    adopt(address.isUnix ? uv_pipe_init(loop.raw, pipe, 0) : uv_tcp_init(loop.raw, tcp))
    do throws(LoopError) {
      try bind()
      try check(uv_listen(stream, Self.backlog) { Listener.deliver($0, $1) })
    } catch {
      close()
      throw error
    }
    if case .tcp = address, let bound = SocketAddress(asking: { uv_tcp_getsockname(tcp, $0, $1) }) {
      self.address = bound.address
    }
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

  private func accept() {
    guard let onAccept else { return }
    let connection = Connection(acceptedFrom: stream, isUnix: address.isUnix, on: loop)
    guard hasSpare() else { return refuse(connection) }
    loop.hasUnfinishedTurn = true
    onAccept(connection)
    connection.startReadingIfWanted()
  }

  /// libuv keeps one descriptor in reserve for this and turns waiting peers away itself; but when another thread has taken
  /// that one, it would ask again without end. Taking the peers off the queue here ends it. The spare stays given up until
  /// the next peer comes: accept(2) says `EMFILE` even for an empty queue, and only a free descriptor makes it say `EAGAIN`.
  private func refuseWaiting() {
    var descriptor: Int32 = -1
    guard spare >= 0, uv_fileno(handle, &descriptor) == 0 else { return }
    Glibc.close(spare)
    spare = -1
    var peer = Glibc.accept(descriptor, nil, nil)
    while peer >= 0 {
      Glibc.close(peer)
      refusedCount += 1
      peer = Glibc.accept(descriptor, nil, nil)
    }
  }

  private func hasSpare() -> Bool {
    if spare < 0 { spare = Self.openSpare() }
    return spare >= 0
  }

  /// A peer that took the last descriptor gives it back, for the spare.
  private func refuse(_ connection: Connection) {
    connection.close()
    refusedCount += 1
    spare = Self.openSpare()
  }

  private static func openSpare() -> Int32 {
    Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
  }

  override func handleClosed() {
    onAccept = nil
    if spare >= 0 { Glibc.close(spare) }
    spare = -1
  }
}
