import ZoneKitCUV
import Glibc

/// Reads an open descriptor to its end: a terminal, a pipe, a socket or a regular file.
package final class InputStream: Handle {
  /// Called with the bytes read, at most 64 KiB. They are valid during the call only.
  package var onRead: ((UnsafeRawBufferPointer) -> Void)?
  /// Called last, exactly once; with `.endedByPeer` at the end of the input.
  package var onClose: ((CloseReason) -> Void)?

  private enum Source {
    /// libuv reports when there is something to read.
    case stream
    /// Always readable. An idle handle reads one chunk in each turn.
    case file
  }

  private let descriptor: Int32
  private let source: Source
  private var isReading = false
  private var reason = CloseReason.closedHere
  /// The original flags of the descriptor, to restore: libuv makes it non-blocking, and other processes may share it.
  private let flags: Int32

  /// Opens `descriptor` for reading. A standard descriptor (0 to 2) stays open when this object is closed. Nothing is
  /// delivered before `resumeReading()`. Throws `EINVAL` for anything that cannot be read as a stream, such as a folder
  /// or a closed descriptor.
  package init(descriptor: Int32, on loop: Loop) throws(LoopError) {
    self.descriptor = descriptor
    flags = fcntl(descriptor, F_GETFL)
    let type = uv_guess_handle(descriptor)
    source = type == UV_FILE ? .file : .stream
    guard flags >= 0, type == UV_FILE || type == UV_TTY || type == UV_NAMED_PIPE || type == UV_TCP else {
      throw LoopError(errno: flags < 0 ? EBADF : EINVAL, "read", "descriptor \(descriptor)")
    }
    super.init(type == UV_FILE ? UV_IDLE : type, on: loop)
    do throws(LoopError) {
      try open(type)
    } catch {
      closeHandle()
      throw error
    }
  }

  private func open(_ type: uv_handle_type) throws(LoopError) {
    switch type {
    case UV_TTY:
      // This is the only initializer that can fail: it opens the terminal again for its own use.
      let status = uv_tty_init(loop.raw, memory(as: uv_tty_t.self), descriptor, 1)
      try check(status)
      adopt(status)
    case UV_NAMED_PIPE:
      adopt(uv_pipe_init(loop.raw, pipe, 0))
      try check(uv_pipe_open(pipe, descriptor))
    case UV_TCP:
      adopt(uv_tcp_init(loop.raw, tcp))
      try check(uv_tcp_open(tcp, descriptor))
    default:
      adopt(uv_idle_init(loop.raw, memory(as: uv_idle_t.self)))
    }
  }

  private func check(_ status: Int32) throws(LoopError) {
    guard status == 0 else { throw LoopError(status, "read", "descriptor \(descriptor)") }
  }

  /// Delivers bytes until `pauseReading()` or the end of the input.
  package func resumeReading() {
    guard isOpen, !isReading else { return }
    isReading = true
    let status =
      switch source {
      case .stream: startStream()
      case .file: uv_idle_start(memory(as: uv_idle_t.self)) { InputStream.readChunk($0) }
      }
    if status != 0 { fail(status) }
  }

  /// Stops delivery until `resumeReading()`.
  package func pauseReading() {
    guard isOpen, isReading else { return }
    isReading = false
    switch source {
    case .stream: uv_read_stop(stream)
    case .file: uv_idle_stop(memory(as: uv_idle_t.self))
    }
  }

  /// Stops reading for good. `onClose` is still called.
  package override func close() {
    close(because: .closedHere)
  }

  private func close(because reason: CloseReason) {
    guard isOpen else { return }
    self.reason = reason
    onRead = nil
    _ = fcntl(descriptor, F_SETFL, flags)
    closeHandle()
  }

  override func handleClosed() {
    if source == .file, descriptor > STDERR_FILENO { Glibc.close(descriptor) }
    guard let onClose else { return }
    self.onClose = nil
    loop.hasUnfinishedTurn = true
    onClose(reason)
  }

  private func startStream() -> Int32 {
    uv_read_start(
      stream,
      { handle, _, buffer in
        guard let handle, let buffer else { return }
        let scratch = handle.pointee.loop.pointee.data.assumingMemoryBound(to: CChar.self)
        buffer.pointee = uv_buf_t(base: scratch, len: Loop.scratchSize)
      },
      { stream, count, buffer in
        guard let stream, let data = stream.pointee.data else { return }
        let bytes = UnsafeRawBufferPointer(start: buffer?.pointee.base, count: max(0, count))
        Unmanaged<InputStream>.fromOpaque(data).takeUnretainedValue().received(bytes, status: count)
      })
  }

  private static func readChunk(_ handle: UnsafeMutablePointer<uv_idle_t>?) {
    guard let data = handle?.pointee.data else { return }
    let input = Unmanaged<InputStream>.fromOpaque(data).takeUnretainedValue()
    let count = read(input.descriptor, input.loop.scratch, Loop.scratchSize)
    let status = count > 0 ? count : count == 0 ? Int(UV_EOF.rawValue) : Int(uv_translate_sys_error(errno))
    input.received(UnsafeRawBufferPointer(start: input.loop.scratch, count: max(0, count)), status: status)
  }

  private func received(_ bytes: UnsafeRawBufferPointer, status: Int) {
    if status > 0 {
      guard let onRead else { return }
      loop.hasUnfinishedTurn = true
      onRead(bytes)
    } else if status == Int(UV_EOF.rawValue) {
      close(because: .endedByPeer)
    } else if status < 0, status != Int(UV_EINTR.rawValue) {
      fail(Int32(status))
    }
  }

  private func fail(_ status: Int32) {
    close(because: .failed(LoopError(status, "read", "descriptor \(descriptor)")))
  }
}
