import ZoneKitEventLoop

/// Runs an event loop while a caller waits for an answer, an event or a time.
///
/// The loop does not run between two waits. A wait returns when the condition holds and throws or returns nil when it
/// does not hold in time.
package final class EventWaiter {
  /// How long `wait` sleeps before it checks the condition again if no event is reported, in milliseconds.
  private static let pause: Int64 = 50

  /// The loop that runs during a wait.
  package let loop: Loop
  /// The signal that has asked this process to end; nil if none has.
  package private(set) var interruption: Int32?
  private var hasEvent = false
  private lazy var alarm = Timer(on: loop) { [unowned self] in loop.stop() }

  /// A waiter with its own loop. Throws if the system has no file descriptors left.
  package init() throws(ProcessFailure) {
    do throws(LoopError) {
      loop = try Loop()
    } catch {
      throw .unavailable("\(error)")
    }
    loop.onTurnEnd = { [unowned self] in if hasEvent || interruption != nil { loop.stop() } }
  }

  /// Makes waits throw `ProcessFailure.interrupted` once SIGINT or SIGTERM asks this process to end.
  package func watchSignals() throws(ProcessFailure) {
    do throws(LoopError) {
      for signal in SignalWatcher.Signal.allCases {
        _ = try SignalWatcher(signal, on: loop) { [unowned self] in interruption = $0.rawValue }
      }
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Closes everything that is open on the loop.
  package func close() {
    // A loop that is stopped while it closes would leave the rest open.
    loop.onTurnEnd = nil
    loop.closeAll()
  }

  /// Reports an event, after which `wait` checks its condition again.
  package func report() { hasEvent = true }

  /// Runs the loop until an event is reported, for at most `time` milliseconds.
  package func listen(for time: Int64) throws(ProcessFailure) {
    hasEvent = false
    alarm.schedule(after: time)
    loop.run()
    alarm.cancel()
    if let interruption { throw .interrupted(by: interruption) }
  }

  /// Runs the loop for `time` milliseconds.
  package func pass(_ time: Int64) throws(ProcessFailure) {
    let end = loop.now + time
    while loop.now < end { try listen(for: end - loop.now) }
  }

  /// Waits until the condition holds. Returns how many milliseconds that took; nil if the condition did not hold in
  /// time.
  /// The condition is checked after each event and every 50 ms, because a change of a file causes no event.
  package func wait(
    atMost patience: Int64, _ condition: () throws(ProcessFailure) -> Bool
  ) throws(ProcessFailure) -> Int64? {
    let start = loop.now
    while try !condition() {
      let rest = start + patience - loop.now
      guard rest > 0 else { return nil }
      try listen(for: min(rest, Self.pause))
    }
    return loop.now - start
  }
}
