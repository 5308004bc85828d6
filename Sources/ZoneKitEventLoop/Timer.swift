import ZoneKitCUV

/// Calls a closure once at a set time. It can be set again at any time, also from its own closure.
package final class Timer: Handle {
  private var onFire: (() -> Void)?

  /// A timer that is not set. It keeps `Loop.run()` running only while it is set.
  package init(on loop: Loop, isPermanent: Bool = false, onFire: @escaping () -> Void) {
    self.onFire = onFire
    super.init(UV_TIMER, on: loop)
    self.isPermanent = isPermanent
    adopt(uv_timer_init(loop.raw, memory(as: uv_timer_t.self)))
  }

  /// Whether a time is set.
  package var isScheduled: Bool { isOpen && uv_is_active(handle) != 0 }

  /// Fires once when `Loop.now` has reached `time`; if that has passed, in the next turn. Replaces an earlier time.
  package func schedule(at time: Int64) {
    guard isOpen else { return }
    // libuv adds the delay to its cached time of this turn, so the delay is computed from that time.
    let delay = max(0, time - Int64(uv_now(loop.raw)))
    uv_timer_start(memory(as: uv_timer_t.self), { Timer.fire($0) }, UInt64(delay), 0)
  }

  /// Fires once, `milliseconds` from now. Replaces an earlier time.
  package func schedule(after milliseconds: Int64) {
    schedule(at: loop.now + max(0, milliseconds))
  }

  /// Clears the set time. The closure is not called for it.
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
