import Glibc

/// A command that has the inputs, the outputs and the terminal of this process, and gets its signals.
///
/// A terminal sends the signal of a key, such as Ctrl-C, to the command too, so only signals of other processes are passed
/// on: a second SIGINT makes many programs end without cleaning up.
package struct GuestCommand: Sendable {
  /// The signals that the command gets.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  private let pid: pid_t

  /// Holds back the signals that `wait` takes. Call it before any other thread starts, because threads inherit it.
  package static func holdSignals() {
    // A process that ignores SIGCHLD learns nothing of the end of its children, and a shell lets the commands of a script
    // that it does not wait for ignore SIGINT and SIGQUIT.
    for ignored in [SIGCHLD, SIGINT, SIGQUIT] { signal(ignored, SIG_DFL) }
    var held = heldSignals
    pthread_sigmask(SIG_BLOCK, &held, nil)
  }

  /// The signal that asked this process to end since `holdSignals`; nil if there was none.
  package static var pendingSignal: Int32? { EndingSignals.pending(of: signals) }

  /// Starts the command. `variables` are set in its environment, or removed where the text is nil. Throws if there is no such
  /// command.
  package init(_ words: [String], variables: [(name: String, text: String?)]) throws(ProcessFailure) {
    let started = ProcessStart.start(words, program: words[0], actions: nil, variables: variables)
    guard started.status == 0 else {
      let reason =
        started.status == ENOENT
        ? "there is no such command in PATH, or no such file" : String(cString: strerror(started.status))
      throw .unavailable("cannot start \(words[0]): \(reason)")
    }
    pid = started.pid
  }

  /// Passes signals on until the command has ended. Returns its exit code, or 128 + the signal that ended it.
  package func wait() -> Int32 {
    var held = Self.heldSignals
    while true {
      var information = siginfo_t()
      let signal = sigwaitinfo(&held, &information)
      var status: Int32 = 0
      if signal == SIGCHLD {
        if waitpid(pid, &status, WNOHANG) == pid { return ProcessStart.exitCode(of: status) }
      } else if signal > 0, Self.isOfProcess(information) {
        kill(pid, signal)
      }
    }
  }

  /// Whether a process sent the signal, and not the system for a terminal (sigaction(2), `SI_FROMUSER`).
  private static func isOfProcess(_ information: siginfo_t) -> Bool { information.si_code <= 0 }

  private static var heldSignals: sigset_t { EndingSignals.set(of: signals + [SIGCHLD]) }
}
