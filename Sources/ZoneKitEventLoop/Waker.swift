import ZoneKitCUV
import ZoneKitThreads

/// Lets any thread wake the loop: `wake()` makes the closure run on the loop's thread.
package final class Waker: Sendable {
  /// The open handle; nil once it is closed: `uv_async_send` on a closed handle would access freed memory.
  private let target: Lock<Target?>

  /// A pointer that may be sent to other threads, because `uv_async_send` is the one libuv function that they may call.
  private struct Target: @unchecked Sendable {
    let async: UnsafeMutablePointer<uv_async_t>
  }

  /// Opens a waker whose closure runs on the loop. It keeps `Loop.run()` running until it is closed, and is permanent.
  /// Throws if the system has no file descriptors left (`EMFILE`).
  package init(on loop: Loop, onWake: @escaping () -> Void) throws(LoopError) {
    let source = try WakeSource(on: loop, onWake: onWake)
    source.isPermanent = true
    target = Lock(Target(async: source.async))
    source.onClosing = { [weak self] in self?.target.withLock { $0 = nil } }
  }

  /// Makes the closure run soon on the loop's thread, at least once after this call. Several calls may cause one run.
  /// Does nothing once the waker is closed.
  package func wake() {
    target.withLock { target in
      guard let target else { return }
      let status = uv_async_send(target.async)
      assert(status == 0, "an open handle takes a wake-up")
    }
  }

  /// Closes the waker. For the loop's thread only.
  package func close() {
    let async = target.withLock { $0?.async }
    guard let data = async?.pointee.data else { return }
    Unmanaged<WakeSource>.fromOpaque(data).takeUnretainedValue().close()
  }
}
