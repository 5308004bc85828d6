import Glibc
import ZoneKitRecords

/// A process of this program started by this program, spoken to through pipes: lines in, lines of JSON out.
final class ChildProcess {
  /// What the process is called in messages.
  let name: String
  /// The system's number of the process.
  let pid: pid_t
  private let input: Int32
  private let output: Int32
  private var buffer: [UInt8] = []
  private var isReaped = false
  private var isInputEnded = false

  /// Starts this program again with those words; its standard error stays ours. Throws where the system refuses.
  init(_ name: String, words: [String]) throws(ExitFailure) {
    self.name = name
    let (childInput, input) = try Self.pipe()
    let (output, childOutput) = try Self.pipe()
    self.input = input
    self.output = output
    pid = try Self.spawn(words, input: childInput, output: childOutput)
    close(childInput)
    close(childOutput)
  }

  /// Ends of a pipe that no other child inherits, or the next one's copy would keep this one's input open for ever.
  private static func pipe() throws(ExitFailure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw .unavailable("no pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }

  private static func spawn(_ words: [String], input: Int32, output: Int32) throws(ExitFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = (["zonekit"] + words).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, "/proc/self/exe", &actions, nil, arguments, environ)
    guard status == 0 else { throw .unavailable("cannot start \(words): \(String(cString: strerror(status)))") }
    return pid
  }

  /// Gives the process a line; one that has ended does not get it.
  func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
  }

  /// The descriptor on which the process's lines come.
  var descriptor: Int32 { output }

  /// Reads what is there and gives the whole lines; nil when the process has closed its output.
  func readLines() -> [String]? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    buffer += chunk[..<count]
    var lines: [String] = []
    while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: buffer[..<end], as: UTF8.self))
      buffer.removeFirst(end + 1)
    }
    return lines
  }

  /// Ends the process with a signal and waits until it is gone; returns its exit code, 128 + signal where one ended it.
  @discardableResult
  func end(with signal: Int32) -> Int32 {
    guard !isReaped else { return 0 }
    kill(pid, signal)
    endInput()
    return wait()
  }

  /// Says that no more lines come.
  func endInput() {
    guard !isInputEnded else { return }
    isInputEnded = true
    close(input)
  }

  /// Waits until the process is gone; returns its exit code, 128 + signal where one ended it.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isReaped = true
    close(output)
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
