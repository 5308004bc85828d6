import Glibc
import Synchronization

/// Keeps the process alive when another program shortens the index of a WAL.
///
/// SQLite maps the index into memory (SQLite: walformat.html, 2.2), so a read behind the end of the shortened file raises
/// SIGBUS. The guard gives the file its length back, without opening it, because closing it would release SQLite's locks.
/// The file is zero there, and SQLite rebuilds the index from the WAL for the next statement. A transaction during which
/// that happened may have missed pages and must not be committed, which `repairs` shows.
package enum WALIndexGuard {
  private static let count = Atomic<Int>(0)
  /// Whether a thread is in the handler, whose memory serves one thread at a time.
  private static let isBusy = Atomic<Bool>(false)
  /// How often since the last repair the file had its length already.
  private static let idleRuns = Atomic<Int>(0)
  /// How often in a row a file may have its length already, because another thread was faster.
  private static let idleLimit = 1_000
  private nonisolated(unsafe) static let memory = Memory()
  /// The length of `/proc/self/maps` that is read at once, and of the longest line in it.
  private static let size = 8192

  /// The memory of the handler. A signal handler must not allocate any.
  private struct Memory {
    let chunk = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    let line = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    let maps = strdup("/proc/self/maps")
  }

  /// How often an index was given its length back.
  package static var repairs: Int { count.load(ordering: .acquiring) }

  /// Handles SIGBUS for the whole process. Any other access that raises it ends the process as before.
  package static func install() {
    _ = memory
    var action = sigaction()
    action.sa_flags = SA_SIGINFO
    action.__sigaction_handler.sa_sigaction = { _, info, _ in
      if let info, WALIndexGuard.repair(at: UInt(bitPattern: info.pointee._sifields._sigfault.si_addr)) { return }
      // The access raises the signal again, and this time it ends the process.
      signal(SIGBUS, SIG_DFL)
    }
    sigaction(SIGBUS, &action, nil)
  }

  private static func repair(at address: UInt) -> Bool {
    while isBusy.exchange(true, ordering: .acquiring) {}
    defer { isBusy.store(false, ordering: .releasing) }
    guard let maps = memory.maps else { return false }
    let file = open(maps, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var length = 0
    while true {
      let read = Glibc.read(file, memory.chunk, size)
      guard read > 0 else { return false }
      for index in 0..<read {
        let byte = memory.chunk[index]
        if byte != UInt8(ascii: "\n") {
          if length < size - 1 { memory.line[length] = byte }
          length += 1
        } else {
          let isWhole = length < size
          if isWhole { memory.line[length] = 0 }
          if isWhole, lengthen(mappedAt: address, length) { return true }
          length = 0
        }
      }
    }
  }

  /// Gives the file of a mapping its length back, if the line in `memory` describes the mapping of an index with that
  /// address: `start-end permissions offset device inode path` (proc(5)).
  private static func lengthen(mappedAt address: UInt, _ length: Int) -> Bool {
    var position = 0
    let start = hexadecimal(&position)
    let end = hexadecimal(&position)
    guard (start..<max(start, end)).contains(address) else { return false }
    while position < length, memory.line[position] != UInt8(ascii: " ") { position += 1 }
    position += 1
    let offset = hexadecimal(&position)
    while position < length, memory.line[position] != UInt8(ascii: "/") { position += 1 }
    guard length - position > 4, hasEnding(length) else { return false }
    let wanted = Int(offset + end - start)
    return memory.line.withMemoryRebound(to: CChar.self, capacity: size) { line in
      var status = stat()
      guard stat(line + position, &status) == 0 else { return false }
      guard status.st_size < wanted else {
        // Another thread has repaired it, or the signal has another reason, such as a full disk.
        return idleRuns.add(1, ordering: .relaxed).newValue <= idleLimit
      }
      guard truncate(line + position, wanted) == 0 else { return false }
      idleRuns.store(0, ordering: .relaxed)
      count.add(1, ordering: .acquiringAndReleasing)
      return true
    }
  }

  /// Makes SQLite rebuild the index at that path, because a commit may have written to one that was shortened.
  static func invalidate(_ path: String) { truncate(path, 0) }

  /// Whether the path is that of an index: `-shm`.
  private static func hasEnding(_ length: Int) -> Bool {
    let ending = memory.line + (length - 4)
    return ending[0] == UInt8(ascii: "-") && ending[1] == UInt8(ascii: "s") && ending[2] == UInt8(ascii: "h")
      && ending[3] == UInt8(ascii: "m")
  }

  /// The hexadecimal number at that position, which moves behind it and the next character.
  private static func hexadecimal(_ position: inout Int) -> UInt {
    var number: UInt = 0
    while position < size {
      let byte = memory.line[position]
      position += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt(byte - UInt8(ascii: "a") + 10)
      default: return number
      }
    }
    return number
  }
}
