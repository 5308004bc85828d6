import ZoneKitThreads

/// Whether anybody still waits for a result. Any thread may ask and say so.
package final class Cancellation: Sendable {
  private let state = Lock(false)

  /// Somebody waits.
  package init() {}

  /// Nobody waits any more.
  package func cancel() { state.withLock { $0 = true } }

  /// Whether nobody waits any more.
  package var isCancelled: Bool { state.withLock { $0 } }
}
