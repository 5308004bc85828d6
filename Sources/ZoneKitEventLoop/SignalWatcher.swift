import ZoneKitCUV
import Glibc

/// Turns a signal of the process into a call on the loop.
package final class SignalWatcher: Handle {
  /// The signals that ask a program to end.
  package enum Signal: Int32, CaseIterable, Sendable {
    /// Ctrl-C on the terminal (SIGINT).
    case interrupt = 2
    /// A request from another program (SIGTERM).
    case terminate = 15
  }

  private let signal: Signal
  private var onSignal: ((Signal) -> Void)?

  /// Watches one signal until it is closed; it does not keep `Loop.run()` going. Throws when libuv gets no pipe (`EMFILE`).
  package init(_ signal: Signal, on loop: Loop, onSignal: @escaping (Signal) -> Void) throws(LoopError) {
    self.signal = signal
    self.onSignal = onSignal
    super.init(UV_SIGNAL, on: loop)
    let watcher = memory(as: uv_signal_t.self)
    let initialized = uv_signal_init(loop.raw, watcher)
    guard initialized == 0 else { throw LoopError(initialized, "watch", "signal \(signal)") }
    adopt(initialized)
    let started = uv_signal_start(watcher, { handle, _ in SignalWatcher.deliver(handle) }, signal.rawValue)
    guard started == 0 else {
      closeHandle()
      throw LoopError(started, "watch", "signal \(signal)")
    }
    uv_unref(handle)
  }

  private static func deliver(_ handle: UnsafeMutablePointer<uv_signal_t>?) {
    guard let data = handle?.pointee.data else { return }
    let watcher = Unmanaged<SignalWatcher>.fromOpaque(data).takeUnretainedValue()
    watcher.loop.hasUnfinishedTurn = true
    watcher.onSignal?(watcher.signal)
  }

  override func handleClosed() {
    onSignal = nil
  }
}
