import Glibc
import ZoneKitStorage

/// What this process uses of the machine, as the system counts it (proc(5), getrlimit(2), clock_gettime(2)). What cannot be read
/// is nil.
struct ProcessUsage {
  /// The memory that is in use, in bytes.
  let residentBytes: Int64?
  /// The address space, in bytes.
  let virtualBytes: Int64?
  /// The number of open files, sockets included.
  let openFiles: Int?
  /// The number of files that may be open.
  let openFileLimit: UInt64?
  /// The time of processors that all threads have used, in nanoseconds.
  let processorTime: Int64?

  /// The usage now.
  init() {
    let pages = Self.memoryPages()
    virtualBytes = pages.map { $0.virtual * Int64(sysconf(Int32(_SC_PAGESIZE))) }
    residentBytes = pages.map { $0.resident * Int64(sysconf(Int32(_SC_PAGESIZE))) }
    // The folder itself is one of them while it is read.
    openFiles = (try? Folder.names(in: "/proc/self/fd")).flatMap { $0.isEmpty ? nil : $0.count - 1 }
    var limit = rlimit()
    openFileLimit = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : nil
    var time = timespec()
    processorTime =
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0
      ? Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) : nil
  }

  /// The first two numbers of `/proc/self/statm`.
  private static func memoryPages() -> (virtual: Int64, resident: Int64)? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let numbers = bytes.prefix(count).split(separator: UInt8(ascii: " ")).map {
      Int64(String(decoding: $0, as: UTF8.self))
    }
    guard numbers.count > 1, let virtual = numbers[0], let resident = numbers[1] else { return nil }
    return (virtual, resident)
  }
}
