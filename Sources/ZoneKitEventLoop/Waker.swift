import ZoneKitCUV
import Synchronization

/// Lets any thread call the loop's thread: `wake()` there makes the closure run here.
package final class Waker: Sendable {
  /// The open handle, or nothing once it is closed: `uv_async_send` on a closed handle touches freed memory.
  private let target: Mutex<Target?>

  /// `uv_async_send` is the one libuv call that other threads may make, so its pointer may go to them.
  private struct Target: @unchecked Sendable {
    let async: UnsafeMutablePointer<uv_async_t>
  }

  /// Opens a waker whose closure runs on the loop; it keeps `Loop.run()` going until it is closed. Throws when the system
  /// gives no descriptor (`EMFILE`).
  package init(on loop: Loop, onWake: @escaping () -> Void) throws(LoopError) {
    let source = try WakeSource(on: loop, onWake: onWake)
    target = Mutex(Target(async: source.async))
    source.onClosing = { [weak self] in self?.target.withLock { $0 = nil } }
  }

  /// Makes the closure run soon on the loop's thread, at least once after this call; several calls may become one.
  /// Does nothing once it is closed.
  package func wake() {
    target.withLock { target in
      guard let target else { return }
      let status = uv_async_send(target.async)
      assert(status == 0, "an open handle takes a wake-up")
    }
  }

  /// Ends it. For the loop's thread only.
  package func close() {
    let async = target.withLock { $0?.async }
    guard let data = async?.pointee.data else { return }
    Unmanaged<WakeSource>.fromOpaque(data).takeUnretainedValue().close()
  }
}
