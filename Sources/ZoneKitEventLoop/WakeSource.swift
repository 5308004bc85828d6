import ZoneKitCUV

/// The part of a `Waker` that belongs to the loop's thread: its handle and its closure. Other threads never access it.
final class WakeSource: Handle {
  /// Called when the handle begins to close, so that no thread sends to a closed handle.
  var onClosing: (() -> Void)?
  private var onWake: (() -> Void)?

  init(on loop: Loop, onWake: @escaping () -> Void) throws(LoopError) {
    self.onWake = onWake
    super.init(UV_ASYNC, on: loop)
    let status = uv_async_init(loop.raw, async) { WakeSource.deliver($0) }
    guard status == 0 else { throw LoopError(status, "open", "a waker") }
    adopt(status)
  }

  var async: UnsafeMutablePointer<uv_async_t> { memory(as: uv_async_t.self) }

  override func close() {
    onClosing?()
    onClosing = nil
    closeHandle()
  }

  private static func deliver(_ handle: UnsafeMutablePointer<uv_async_t>?) {
    guard let data = handle?.pointee.data else { return }
    let source = Unmanaged<WakeSource>.fromOpaque(data).takeUnretainedValue()
    source.loop.hasUnfinishedTurn = true
    source.onWake?()
  }

  override func handleClosed() {
    onWake = nil
  }
}
