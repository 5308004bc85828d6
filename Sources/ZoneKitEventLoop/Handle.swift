import ZoneKitCUV

/// One libuv handle and the rule of its life: the open handle retains its owner, the close callback releases it.
///
/// So an owner may be dropped while it is open and goes on working; `close()` (or `Loop.closeAll()`) ends it. The memory of
/// the handle lives exactly as long as the owner, so no pointer into it can dangle. Everything here is for the loop's thread.
package class Handle {
  /// The loop that calls it back; an open handle keeps its loop alive.
  package let loop: Loop
  /// Whether `close()` has not been called yet.
  package private(set) final var isOpen = false
  fileprivate final let memory: UnsafeMutableRawPointer

  init(_ type: uv_handle_type, on loop: Loop) {
    self.loop = loop
    memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Takes the status of the `uv_*_init` call; from here on the handle retains this object.
  final func adopt(_ status: Int32) {
    // These calls allocate nothing: they fail for wrong arguments only.
    precondition(status == 0, "libuv has not accepted a new handle: \(String(cString: uv_strerror(status)))")
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    isOpen = true
    loop.openHandles += 1
  }

  /// Ends the handle; its owner's last callback comes later, from the loop. Closing again does nothing.
  package func close() {
    closeHandle()
  }

  final func closeHandle() {
    guard isOpen else { return }
    isOpen = false
    uv_close(handle) { handle in
      guard let data = handle?.pointee.data else { return }
      let owner = Unmanaged<Handle>.fromOpaque(data).takeRetainedValue()
      owner.loop.openHandles -= 1
      owner.handleClosed()
    }
  }

  /// Called once, from the loop, when libuv has let go of the handle. The place to drop closures.
  func handleClosed() {}
}

/// libuv's "subclasses" begin with the fields of their "superclass", so one memory has many types.
extension Handle {
  final var handle: UnsafeMutablePointer<uv_handle_t> { memory.assumingMemoryBound(to: uv_handle_t.self) }
  final var stream: UnsafeMutablePointer<uv_stream_t> { memory.assumingMemoryBound(to: uv_stream_t.self) }
  final var tcp: UnsafeMutablePointer<uv_tcp_t> { memory.assumingMemoryBound(to: uv_tcp_t.self) }
  final var pipe: UnsafeMutablePointer<uv_pipe_t> { memory.assumingMemoryBound(to: uv_pipe_t.self) }

  final func memory<Type>(as type: Type.Type) -> UnsafeMutablePointer<Type> {
    memory.assumingMemoryBound(to: type)
  }
}
