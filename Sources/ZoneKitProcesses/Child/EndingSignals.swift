import Glibc

/// The signals with which a user or another program asks this process to end.
package enum EndingSignals {
  /// SIGINT, which Ctrl-C sends, and SIGTERM.
  private static let usual = [SIGINT, SIGTERM]

  /// Holds back SIGINT and SIGTERM during work that ends at a moment of its own choice. It looks at `pending` where it can
  /// end. What is pending when the work returns is forgotten: the work has obeyed.
  package static func held<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var signals = set(of: usual)
    var former = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &former)
    defer {
      var none = timespec()
      while sigtimedwait(&signals, nil, &none) > 0 {}
      pthread_sigmask(SIG_SETMASK, &former, nil)
    }
    return try work()
  }

  /// Ends this process as that signal does by itself, so that its parent knows that the work was not done. A process that no
  /// signal ends, such as the first one of a container, exits with 3.
  package static func end(by signal: Int32) -> Never {
    Glibc.signal(signal, SIG_DFL)
    var signals = set(of: [signal])
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    exit(3)
  }

  /// The signal of those that is held back and has arrived; nil if there is none.
  package static var pending: Int32? { pending(of: usual) }

  /// The first of those signals that has arrived while it is held back.
  static func pending(of signals: [Int32]) -> Int32? {
    var arrived = sigset_t()
    sigpending(&arrived)
    return signals.first { sigismember(&arrived, $0) == 1 }
  }

  /// A set of signals.
  static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
