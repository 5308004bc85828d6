import Glibc

/// Starts processes with the signals that programs expect.
enum ProcessStart {
  /// Starts a program, which is searched for in `PATH` if its name has no slash. `words` are its name and its arguments.
  /// `variables` are set in its environment, or removed where the text is nil. Returns its process ID and 0, or the error
  /// number of the system.
  static func start(
    _ words: [String], program: String, actions: UnsafePointer<posix_spawn_file_actions_t>?,
    variables: [(name: String, text: String?)] = []
  ) -> (pid: pid_t, status: Int32) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The loop ignores SIGPIPE in this process. A child that inherited that would keep running after its reader is
    // gone.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // A worker thread of this process may block signals. A child that inherited that would not end on SIGTERM.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let arguments = list(words)
    let environment = list(self.environment(with: variables))
    defer { for word in arguments + environment { free(word) } }
    var pid: pid_t = 0
    let status = posix_spawnp(&pid, program, actions, &attributes, arguments, environment)
    return (pid, status)
  }

  /// The exit code of a process that ended with that status of waitpid(2), or 128 + the signal that ended it.
  static func exitCode(of status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// A list of C strings that ends with nil. The caller frees them.
  private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }

  /// The environment of this process with those changes.
  private static func environment(with variables: [(name: String, text: String?)]) -> [String] {
    var entries: [String] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(String(cString: text))
      entry += 1
    }
    entries.removeAll { entry in variables.contains { entry.hasPrefix("\($0.name)=") } }
    return entries + variables.compactMap { variable in variable.text.map { "\(variable.name)=\($0)" } }
  }
}
