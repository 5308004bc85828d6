import ZoneKitCUV
import Glibc

/// A stream of bytes to one peer, over TCP or a Unix socket. A `Listener` accepts it, or `init(to:on:)` opens it.
///
/// Callbacks are closures that are set right after the connection is made. They run on the loop and never inside a call
/// to this object. A closure may call any method here, also `close()`. After `close()` only `onClose` is called,
/// exactly once, from the loop. Then all closures are released, so a closure may hold its connection.
package final class Connection: Handle {
  /// How long a finished connection waits, unless its owner says otherwise, for the peer's end, in milliseconds.
  package static let lingerTime: Int64 = 1_000
  /// How long a finishing connection waits, unless its owner says otherwise, for a peer that takes nothing, in milliseconds.
  package static let patience: Int64 = 30_000
  /// The most bytes that the system takes at the end of a connection, however few it can send.
  private static let lastBytes = 2 << 20
  /// The number of bytes for a peer that the system takes before it can send them.
  package static let systemBacklog: Int32 = 256 << 10

  /// Called when the connection opened by `init(to:on:)` is established.
  package var onConnected: (() -> Void)?
  /// Called with received bytes, at most 64 KiB. They are valid during the call only.
  package var onRead: ((UnsafeRawBufferPointer) -> Void)?
  /// Called when the peer has ended its side. It can still be written to. Without this closure the connection is closed
  /// then.
  package var onEnd: (() -> Void)?
  /// Called when all queued bytes have been handed to the system.
  package var onDrained: (() -> Void)?
  /// Called last, once for every connection.
  package var onClose: ((CloseReason) -> Void)?

  private enum State {
    /// Writes are kept in `unsent`.
    case connecting
    case open
    /// Nothing more is accepted for writing or delivered. The queued bytes are sent, then the end of the stream. The timer
    /// limits how long the peer may take nothing.
    case finishing(Timer, patience: Int64, linger: Int64)
    /// The end of the stream is sent. The timer limits the wait for the peer's end.
    case lingering(Timer)
    case closing(CloseReason)
  }

  let isUnix: Bool
  /// Whether a listener accepted the connection.
  let isAccepted: Bool
  /// The address by which an accepted connection is counted; nil for none.
  private(set) var countedPeer: SocketAddress.Peer?
  private var state: State
  private var wantsReading = true
  private var peerHasEnded = false
  private var queuedWrites = 0
  /// The bytes that libuv did not get yet. They are passed on in pieces, so that they are in memory only once.
  private var backlog = WriteBacklog()
  /// The bytes written before the connection is established, and its destination.
  private var attempt: ConnectionAttempt?

  /// Starts to connect. Reading starts when the connection is established; bytes written before that are queued. A host
  /// name is resolved without blocking, and the first IPv4 address is used. Every failure is reported to `onClose` as
  /// `.failed`.
  package init(to address: Address, on loop: Loop) {
    isUnix = address.isUnix
    isAccepted = false
    state = .connecting
    attempt = ConnectionAttempt(address: address)
    super.init(isUnix ? UV_NAMED_PIPE : UV_TCP, on: loop)
    openHandle()
    switch address {
    case .unix(let path): connect(toPath: path)
    case .tcp(let host, let port):
      if let literal = SocketAddress(literal: host, port: port) {
        connect(to: literal)
      } else {
        Lookup.begin(host, for: self)
      }
    }
  }

  /// Accepts the waiting connection of a listening stream. Closes itself if there is none.
  init(acceptedFrom server: UnsafeMutablePointer<uv_stream_t>, isUnix: Bool, on loop: Loop) {
    self.isUnix = isUnix
    state = .open
    isAccepted = true
    loop.acceptedCount += 1
    super.init(isUnix ? UV_NAMED_PIPE : UV_TCP, on: loop)
    openHandle()
    let status = uv_accept(server, stream)
    if status == 0 { setOptions() } else { fail(status, "accept") }
    guard status == 0, !isUnix else { return }
    countedPeer = SocketAddress { uv_tcp_getpeername(tcp, $0, $1) }?.peer
    if let countedPeer { loop.acceptedByAddress[countedPeer, default: 0] += 1 }
  }

  /// The number of bytes passed to `write` that the system has not taken yet. Use it for back-pressure.
  package var queuedBytes: Int {
    switch state {
    case .connecting: attempt?.unsent.count ?? 0
    case .open, .finishing: uv_stream_get_write_queue_size(stream) + backlog.count
    case .lingering, .closing: 0
    }
  }

  /// The peer's address, while connected. A Unix peer has a path only if this side opened the connection.
  package var peer: Address? {
    guard isOpen, !isUnix else { return nil }
    return SocketAddress { uv_tcp_getpeername(tcp, $0, $1) }?.address
  }

  /// Sends what the system takes immediately, keeps the rest, and sends it in pieces when the system takes more. Does
  /// nothing if the connection is finishing or closed: a peer can close at any time, and `onClose` reports it.
  package func write(_ bytes: [UInt8]) {
    switch state {
    case .connecting: bytes.withUnsafeBytes { attempt?.append($0) }
    case .open:
      guard backlog.isEmpty, queuedWrites == 0 else { return backlog.append(bytes) }
      let sent = bytes.withUnsafeBytes { sendNow($0) }
      guard sent < bytes.count, case .open = state else { return }
      backlog.append(bytes, from: sent)
      queuePiece()
    case .finishing, .lingering, .closing: return
    }
  }

  /// The same for borrowed bytes, of which only the rest is copied.
  package func write(_ bytes: UnsafeRawBufferPointer) {
    switch state {
    case .connecting: attempt?.append(bytes)
    case .open:
      let sent = backlog.isEmpty && queuedWrites == 0 ? sendNow(bytes) : 0
      guard sent < bytes.count, case .open = state else { return }
      backlog.append(Array(bytes[sent...]))
      if queuedWrites == 0 { queuePiece() }
    case .finishing, .lingering, .closing: return
    }
  }

  /// Stops delivery until `resumeReading()`. The peer is slowed down when the system's buffers are full. While reading
  /// is paused, neither the peer's end nor a lost connection is noticed.
  package func pauseReading() {
    guard wantsReading else { return }
    wantsReading = false
    if case .open = state { uv_read_stop(stream) }
  }

  /// Continues delivery.
  package func resumeReading() {
    guard !wantsReading else { return }
    wantsReading = true
    if case .open = state { startReading() }
  }

  /// Sends the queued bytes and the end of the stream, then closes when the peer has ended too or after `linger`
  /// milliseconds. Bytes received after this call are discarded: closing with unread bytes would make the system reset the
  /// connection, and the peer could lose the last bytes (RFC 9112, 9.6). A peer that takes nothing for `patience`
  /// milliseconds loses the rest.
  package func shutdownAfterWrites(
    patience: Int64 = Connection.patience, linger: Int64 = Connection.lingerTime
  ) {
    switch state {
    case .connecting: attempt?.finishesWhenConnected = true
    case .open: finish(patience, linger)
    case .finishing, .lingering, .closing: return
    }
  }

  /// Closes immediately. Queued bytes are lost.
  package override func close() {
    close(because: .closedHere)
  }

  private func close(because reason: CloseReason) {
    switch state {
    case .closing: return
    case .finishing(let timer, patience: _, linger: _), .lingering(let timer): timer.close()
    case .connecting, .open: break
    }
    state = .closing(reason)
    // Its descriptor is free at once, so another connection of this peer may follow in the same turn.
    if let countedPeer { loop.forget(countedPeer) }
    attempt = nil
    backlog = WriteBacklog()
    onConnected = nil
    onRead = nil
    onEnd = nil
    onDrained = nil
    closeHandle()
  }

  override func handleClosed() {
    if isAccepted {
      loop.acceptedCount -= 1
      loop.acceptWaiting()
    }
    guard case .closing(let reason) = state, let onClose else { return }
    self.onClose = nil
    loop.hasUnfinishedTurn = true
    onClose(reason)
  }

  private func fail(_ status: Int32, _ action: String) {
    if case .closing = state { return }
    let subject = attempt?.address ?? peer
    close(because: .failed(LoopError(status, action, subject?.description ?? "a connection")))
  }

  private func openHandle() {
    adopt(isUnix ? uv_pipe_init(loop.raw, pipe, 0) : uv_tcp_init(loop.raw, tcp))
  }
}

// MARK: Connecting
extension Connection {
  func found(_ list: UnsafeMutablePointer<addrinfo>?) {
    guard case .connecting = state, case .tcp(_, let port)? = attempt?.address else { return }
    guard let found = SocketAddress(firstOf: list, port: port) else { return lookupFailed(UV_EAI_NODATA.rawValue) }
    connect(to: found)
  }

  func lookupFailed(_ status: Int32) {
    fail(status, "find")
  }

  private func connect(to address: SocketAddress) {
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    let status = address.withPointer { uv_tcp_connect(request, tcp, $0) { Connection.finishConnecting($0, $1) } }
    guard status != 0 else { return }
    request.deallocate()
    fail(status, "connect to")
  }

  private func connect(toPath path: String) {
    // libuv would truncate a longer path and connect to a different one.
    guard path.utf8.count <= Address.longestPath else { return fail(UV_ENAMETOOLONG.rawValue, "connect to") }
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    uv_pipe_connect(request, pipe, path) { Connection.finishConnecting($0, $1) }
  }

  private static func finishConnecting(_ request: UnsafeMutablePointer<uv_connect_t>?, _ status: Int32) {
    guard let request else { return }
    let data = request.pointee.handle.pointee.data
    request.deallocate()
    guard let data else { return }
    Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue().connected(status)
  }

  private func connected(_ status: Int32) {
    guard case .connecting = state, let attempt else { return }
    guard status == 0 else { return fail(status, "connect to") }
    self.attempt = nil
    state = .open
    setOptions()
    write(attempt.unsent)
    loop.hasUnfinishedTurn = true
    if attempt.finishesWhenConnected { shutdownAfterWrites() } else { onConnected?() }
    startReadingIfWanted()
  }
}

// MARK: Reading
extension Connection {
  /// Starts delivery, unless the owner has already paused or closed the connection.
  func startReadingIfWanted() {
    if wantsReading, case .open = state { startReading() }
  }

  private func startReading() {
    guard !peerHasEnded else { return }
    let status = uv_read_start(
      stream,
      { handle, _, buffer in
        guard let handle, let buffer else { return }
        let scratch = handle.pointee.loop.pointee.data.assumingMemoryBound(to: CChar.self)
        buffer.pointee = uv_buf_t(base: scratch, len: Loop.scratchSize)
      },
      { stream, count, buffer in
        guard let stream, let data = stream.pointee.data else { return }
        let bytes = UnsafeRawBufferPointer(start: buffer?.pointee.base, count: max(0, count))
        Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue().received(bytes, status: count)
      })
    // Starting twice is harmless. A handle whose peer has ended reports that by the read itself.
    if status != 0, status != UV_EALREADY.rawValue { fail(status, "read from") }
  }

  private func received(_ bytes: UnsafeRawBufferPointer, status: Int) {
    if status > 0 {
      guard case .open = state, let onRead else { return }
      loop.hasUnfinishedTurn = true
      onRead(bytes)
    } else if status == Int(UV_EOF.rawValue) {
      receivedEnd()
    } else if status < 0 {
      fail(Int32(status), "read from")
    }
  }

  private func receivedEnd() {
    peerHasEnded = true
    switch state {
    case .open:
      guard let onEnd else { return close(because: .endedByPeer) }
      loop.hasUnfinishedTurn = true
      onEnd()
    case .lingering: close(because: .closedHere)
    case .connecting, .finishing, .closing: return
    }
  }
}

// MARK: Writing
extension Connection {
  /// The most bytes that are copied for a write that libuv queues.
  private static var pieceSize: Int { 64 * 1024 }

  /// Sends what the system takes immediately. Returns the number of bytes.
  private func sendNow(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return 0 }
    // libuv only reads from the buffer, but its type does not express that.
    let start = UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(to: CChar.self)
    var buffer = uv_buf_t(base: start, len: bytes.count)
    let status = uv_try_write(stream, &buffer, 1)
    if status < 0, status != UV_EAGAIN.rawValue { fail(status, "write to") }
    return Int(max(0, status))
  }

  /// Sends what the system takes of the backlog, and queues the next piece of the rest.
  private func sendBacklog() {
    while !backlog.isEmpty {
      let (sent, wanted) = sendNext()
      if case .closing = state { return }
      backlog.take(sent)
      if sent < wanted { return queuePiece() }
    }
    if case .finishing = state { endStream() }
  }

  /// Sends what the system takes of the next piece. Returns that number of bytes, and the size of the piece.
  private func sendNext() -> (sent: Int, wanted: Int) {
    // A copy, because a failure clears the backlog.
    let backlog = backlog
    return backlog.withNext { (sendNow($0), $0.count) }
  }

  /// Passes a copy of the next bytes of the backlog to libuv, which calls `wrote` when the system has taken them.
  private func queuePiece() {
    let (status, size) = backlog.withNext { next in
      let piece = UnsafeRawBufferPointer(rebasing: next.prefix(Self.pieceSize))
      return (WriteRequest.queue(piece, on: stream), piece.count)
    }
    guard status == 0 else { return fail(status, "write to") }
    queuedWrites += 1
    backlog.take(size)
    if backlog.isEmpty, case .finishing = state { endStream() }
  }

  func wrote(_ status: Int32) {
    queuedWrites -= 1
    guard status == 0 else { return fail(status, "write to") }
    if case .finishing(let timer, let patience, linger: _) = state { timer.schedule(after: patience) }
    if !backlog.isEmpty { sendBacklog() }
    guard queuedWrites == 0, case .open = state, let onDrained else { return }
    loop.hasUnfinishedTurn = true
    onDrained()
  }

  /// The system takes the last bytes, unless they are many, before it can send them. So they reach a peer that reads late.
  private func finish(_ patience: Int64, _ linger: Int64) {
    let timer = Timer(on: loop) { [unowned self] in close(because: .closedHere) }
    timer.schedule(after: patience)
    state = .finishing(timer, patience: patience, linger: linger)
    if queuedBytes <= Self.lastBytes { limitSystemBacklog(0) }
    if backlog.isEmpty { endStream() }
  }

  /// Sends the end of the stream behind everything that libuv has.
  private func endStream() {
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = uv_shutdown(request, stream) { Connection.finishShutdown($0, $1) }
    guard status != 0 else { return }
    request.deallocate()
    fail(status, "end")
  }

  private static func finishShutdown(_ request: UnsafeMutablePointer<uv_shutdown_t>?, _ status: Int32) {
    guard let request else { return }
    let data = request.pointee.handle.pointee.data
    request.deallocate()
    guard let data else { return }
    Unmanaged<Connection>.fromOpaque(data).takeUnretainedValue().sentEnd(status)
  }

  private func sentEnd(_ status: Int32) {
    guard case .finishing(let timer, patience: _, let linger) = state else { return }
    // If the peer has closed the connection, a failed end of stream is no error.
    guard status == 0, !peerHasEnded else { return close(because: .closedHere) }
    timer.schedule(after: linger)
    state = .lingering(timer)
    startReading()
  }
}
