import Glibc
import ZoneKitThreads
import ZoneKitEventLoop
import ZoneKitRecords
import ZoneKitWire

/// A child process, usually another instance of this program.
/// Lines are written to it through a pipe. It writes lines of JSON to another pipe, which an event loop reads.
package final class ChildProcess {
  /// The longest line that is read, in bytes. A `status` line holds conflicts with whole records, so lines can be long.
  private static let lineLimit = 64 << 20

  /// The name of the process in messages.
  package let name: String
  /// The process ID.
  package let pid: pid_t
  /// Whether the process has closed its output: it has ended or is about to end.
  package private(set) var hasEnded = false
  private let input: Int32
  private let output: InputStream
  private var reader = LineReader(limit: ChildProcess.lineLimit)
  private var exitCode: Int32?
  private var isInputEnded = false

  /// Starts `program`, or this program if none is given, with the arguments. The child shares the standard error of
  /// this process.
  /// `onLine` runs on the waiter's loop for each line that is JSON. The waiter gets an event for each line and one when
  /// the process closes its output. Throws if the system cannot start the process.
  package init(
    _ name: String, program: String = "/proc/self/exe", _ arguments: [String], on waiter: EventWaiter,
    onLine: @escaping (JSON) -> Void
  ) throws(ProcessFailure) {
    self.name = name
    let ends = try Self.spawning.withLock { (_) throws(ProcessFailure) in try Self.spawn(program, arguments) }
    input = ends.input
    pid = ends.pid
    do throws(LoopError) {
      self.output = try InputStream(descriptor: ends.output, on: waiter.loop)
    } catch {
      Self.end(pid)
      throw .unavailable("\(name): \(error)")
    }
    self.output.onRead = { [unowned self] bytes in
      reader.append(bytes)
      while let line = try? reader.next() {
        if let json = try? JSON(parsing: line) { onLine(json) }
      }
      waiter.report()
    }
    self.output.onClose = { [self] _ in
      hasEnded = true
      waiter.report()
    }
    self.output.resumeReading()
  }

  /// Ends a process for which no code waited. Otherwise it would keep running, or remain as a zombie, which hides other
  /// processes from code that waits for any child of this process.
  deinit {
    endInput()
    if exitCode == nil { Self.end(pid) }
  }

  /// Kills a process and reads its exit status, so that it does not remain as a zombie.
  private static func end(_ pid: pid_t) {
    kill(pid, SIGKILL)
    _ = reap(pid)
  }

  /// Waits until a process has ended. Returns the status of waitpid(2).
  private static func reap(_ pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Locked while the pipes of a child are made. Otherwise a child that another thread starts at the same time inherits
  /// them.
  private static let spawning = Lock<Void>(())

  /// Starts a program with one pipe to its input and one from its output.
  private static func spawn(
    _ program: String, _ arguments: [String]
  ) throws(ProcessFailure) -> (pid: pid_t, input: Int32, output: Int32) {
    let (childInput, input) = try pipe()
    let (output, childOutput) = try pipe()
    let pid = try spawn(program, arguments, input: childInput, output: childOutput)
    close(childInput)
    close(childOutput)
    return (pid, input, output)
  }

  /// Makes a pipe whose two ends no other child inherits. A copy in another child would keep this child's input open.
  private static func pipe() throws(ProcessFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw .unavailable("no pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }

  private static func spawn(
    _ program: String, _ arguments: [String], input: Int32, output: Int32
  ) throws(ProcessFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let started = ProcessStart.start(["zonekit"] + arguments, program: program, actions: &actions)
    guard started.status == 0 else {
      throw .unavailable("cannot start \(arguments): \(String(cString: strerror(started.status)))")
    }
    return started.pid
  }

  /// Writes a line to the process. Does nothing if the process has ended.
  package func send(_ line: String) {
    guard !isInputEnded else { return }
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
  }

  /// Closes the input of the process: no more lines follow.
  package func endInput() {
    guard !isInputEnded else { return }
    isInputEnded = true
    close(input)
  }

  /// Sends a signal to the process and waits until it has ended.
  package func end(with signal: Int32) {
    guard exitCode == nil else { return }
    kill(pid, signal)
    _ = wait()
  }

  /// Closes the input of the process and waits until it has ended. Returns its exit code, or 128 + the signal that
  /// ended it.
  @discardableResult
  package func wait() -> Int32 {
    if let exitCode { return exitCode }
    endInput()
    let code = ProcessStart.exitCode(of: Self.reap(pid))
    exitCode = code
    return code
  }
}
