import ZoneKitCUV

/// Calls a closure once at a time; it can be set again and again, also from its own closure.
package final class Timer: Handle {
  private var onFire: (() -> Void)?

  /// A timer that is not set. It keeps `Loop.run()` going only while it is set.
  package init(on loop: Loop, onFire: @escaping () -> Void) {
    self.onFire = onFire
    super.init(UV_TIMER, on: loop)
    adopt(uv_timer_init(loop.raw, memory(as: uv_timer_t.self)))
  }

  /// Whether it will fire.
  package var isScheduled: Bool { isOpen && uv_is_active(handle) != 0 }

  /// Fires once when `Loop.now` has reached `time` (a time gone by: in the next turn), and at no earlier set time.
  package func schedule(at time: Int64) {
    guard isOpen else { return }
    // libuv counts from its own cached time of this turn, so the difference to that is what makes it exact.
    let delay = max(0, time - Int64(uv_now(loop.raw)))
    uv_timer_start(memory(as: uv_timer_t.self), { Timer.fire($0) }, UInt64(delay), 0)
  }

  /// Fires once, `milliseconds` from now, and at no earlier set time.
  package func schedule(after milliseconds: Int64) {
    schedule(at: loop.now + max(0, milliseconds))
  }

  /// Takes the set time back; the closure is not called for it any more.
  package func cancel() {
    guard isOpen else { return }
    uv_timer_stop(memory(as: uv_timer_t.self))
  }

  private static func fire(_ handle: UnsafeMutablePointer<uv_timer_t>?) {
    guard let data = handle?.pointee.data else { return }
    let timer = Unmanaged<Timer>.fromOpaque(data).takeUnretainedValue()
    timer.loop.hasUnfinishedTurn = true
    timer.onFire?()
  }

  override func handleClosed() {
    onFire = nil
  }
}
