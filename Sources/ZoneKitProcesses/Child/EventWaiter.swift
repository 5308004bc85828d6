import ZoneKitEventLoop

/// Runs an event loop for as long as a caller waits for something: an answer, an effect, or a time.
///
/// Nothing happens on the loop between two waits. A wait ends with what is waited for, or with an error when it does not come.
package final class EventWaiter {
  /// For how long a look at something that sends no event waits before the next look, in milliseconds.
  private static let pause: Int64 = 50

  /// The loop that runs while somebody waits.
  package let loop: Loop
  /// Whether a signal asked for the end of this process.
  package private(set) var wasInterrupted = false
  private var hasEvent = false
  private lazy var alarm = Timer(on: loop) { [unowned self] in loop.stop() }

  /// A waiter with a loop of its own. Throws where the system gives no descriptors.
  package init() throws(ProcessFailure) {
    do throws(LoopError) {
      loop = try Loop()
    } catch {
      throw .unavailable("\(error)")
    }
    loop.onTurnEnd = { [unowned self] in if hasEvent || wasInterrupted { loop.stop() } }
  }

  /// Ends waits with an error from the moment at which a signal asks for the end of this process.
  package func watchSignals() throws(ProcessFailure) {
    do throws(LoopError) {
      for signal in SignalWatcher.Signal.allCases {
        _ = try SignalWatcher(signal, on: loop) { [unowned self] _ in wasInterrupted = true }
      }
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Closes everything that is open on the loop.
  package func close() {
    // A loop that is stopped while it closes would not close the rest.
    loop.onTurnEnd = nil
    loop.closeAll()
  }

  /// Reports an event: what is waited for may have come.
  package func report() { hasEvent = true }

  /// Runs the loop until an event is reported, or for that many milliseconds.
  package func listen(for time: Int64) throws(ProcessFailure) {
    hasEvent = false
    alarm.schedule(after: time)
    loop.run()
    alarm.cancel()
    if wasInterrupted { throw .interrupted }
  }

  /// Runs the loop for that many milliseconds.
  package func pass(_ time: Int64) throws(ProcessFailure) {
    let end = loop.now + time
    while loop.now < end { try listen(for: end - loop.now) }
  }

  /// Waits until the condition holds. Returns after how many milliseconds that was; nil where it did not hold in time. The
  /// condition is looked at after each event, and every 50 ms, since a change of a file makes no event.
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
