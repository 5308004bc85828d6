import ZoneKitCUV

/// The owner of one libuv handle. The open handle retains its owner, and the close callback releases it.
///
/// So an owner stays alive while its handle is open, even without other references; `close()` or `Loop.closeAll()` ends
/// it. The handle's memory has the lifetime of the owner, so no pointer to it can dangle. Use it on the loop's thread
/// only.
package class Handle {
  /// The loop that runs the callbacks. An open handle retains its loop.
  package let loop: Loop
  /// Whether `Loop.closeOthers()` leaves the handle open.
  package final var isPermanent = false
  /// Whether the handle is open: initialized, and `close()` not called yet.
  package private(set) final var isOpen = false
  fileprivate final let memory: UnsafeMutableRawPointer

  init(_ type: uv_handle_type, on loop: Loop) {
    self.loop = loop
    memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
  }

  deinit { memory.deallocate() }

  /// Checks the status of the `uv_*_init` call. From now on the handle retains this object.
  final func adopt(_ status: Int32) {
    // These calls allocate nothing, so they fail only for wrong arguments.
    precondition(status == 0, "libuv has not accepted a new handle: \(String(cString: uv_strerror(status)))")
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    isOpen = true
    loop.openHandles += 1
  }

  /// Closes the handle. The last callback comes later, from the loop. A second call does nothing.
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

  /// Called once, from the loop, when libuv no longer uses the handle. Subclasses release their closures here.
  func handleClosed() {}
}

/// A libuv "subclass" begins with the fields of its "superclass", so its memory can be used as either type.
extension Handle {
  final var handle: UnsafeMutablePointer<uv_handle_t> { memory.assumingMemoryBound(to: uv_handle_t.self) }
  final var stream: UnsafeMutablePointer<uv_stream_t> { memory.assumingMemoryBound(to: uv_stream_t.self) }
  final var tcp: UnsafeMutablePointer<uv_tcp_t> { memory.assumingMemoryBound(to: uv_tcp_t.self) }
  final var pipe: UnsafeMutablePointer<uv_pipe_t> { memory.assumingMemoryBound(to: uv_pipe_t.self) }

  final func memory<Type>(as type: Type.Type) -> UnsafeMutablePointer<Type> {
    memory.assumingMemoryBound(to: type)
  }
}
