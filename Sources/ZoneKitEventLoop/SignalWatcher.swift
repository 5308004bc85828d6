import ZoneKitCUV
import Glibc

/// Calls a closure on the loop when the process gets a signal.
package final class SignalWatcher: Handle {
  /// The signals that ask a program to end.
  package enum Signal: Int32, CaseIterable, Sendable {
    /// SIGINT, sent by Ctrl-C on the terminal.
    case interrupt = 2
    /// SIGTERM, sent by another program.
    case terminate = 15
  }

  private let signal: Signal
  private var onSignal: ((Signal) -> Void)?

  /// Watches one signal until it is closed, and is permanent. It does not keep `Loop.run()` running. Throws if the system has
  /// no file descriptors left (`EMFILE`).
  package init(_ signal: Signal, on loop: Loop, onSignal: @escaping (Signal) -> Void) throws(LoopError) {
    self.signal = signal
    self.onSignal = onSignal
    super.init(UV_SIGNAL, on: loop)
    isPermanent = true
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
